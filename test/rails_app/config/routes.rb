# frozen_string_literal: true

Rails.application.routes.draw do
  resources :posts, only: %i[index show create] do
    %i[document in_hash fresh cached mistyped failing slow canceled].each { |action| get action, on: :collection }
  end
  resources(:streams, only: :index) { get :failing, on: :collection }
  get "lines(/:kind)" => "lines#index"
  get "rack" => ->(_) { [200, {"content-type" => "application/json"}, PostSerializer.many(Post.order(:id))] }
  get "reference" => "references#index"
  get "state" => "references#state"
end
