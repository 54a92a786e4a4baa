# frozen_string_literal: true

module Katsu
  module Cast
    # Notices when one of Rails' settings of times is set. Asking for all of them takes as long as a third of a record, so the
    # native backend keeps the answer until then.
    module Settings
      class << self
        def watch
          notice(::ActiveRecord, :default_timezone=)
          notice(::ActiveSupport::JSON::Encoding, :time_precision=, :use_standard_json_time_format=)
          Native.forget_times
        end

        private

        def notice(owner, *writers)
          noticing = Module.new do
            writers.each do |writer|
              define_method(writer) do |value|
                super(value)
                Native.forget_times
              end
            end
          end
          owner.singleton_class.prepend(noticing)
        end
      end
    end
  end
end
