# frozen_string_literal: true

class ApplicationController < ActionController::API
  katsu_scope :current_author

  private

  def current_author
    name = request.headers["X-Author"]
    name && Author.find_by!(name: URI.decode_www_form_component(name))
  end
end
