# frozen_string_literal: true

require_relative "explain_task"

namespace :katsu do
  desc "Tells how a serializer reads its records: rails 'katsu:explain[PostSerializer]', with a model and a view " \
       "if you like: 'katsu:explain[PostSerializer,Post,index]'"
  task :explain, %i[serializer model view] => :environment do |_, arguments|
    puts Katsu::Rails::ExplainTask.call(*arguments.values_at(:serializer, :model, :view))
  end
end
