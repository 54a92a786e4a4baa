# frozen_string_literal: true

# Lines of JSON that are sent while they are written.
class LinesController < ApplicationController
  include ActionController::Live

  def index
    response.headers["content-type"] = "application/x-ndjson"
    response.headers["last-modified"] = Time.now.httpdate # no entity tag: it would wait for the whole
    document.write_to(response.stream, format: :ndjson)
  ensure
    response.stream.close
    EndlessPosts.ended += 1 if params[:kind] == "endless"
  end

  private

  def document
    case params[:kind]
    when "endless" then PostSerializer.many(EndlessPosts.posts, view: :full)
    when "failing" then FailingSerializer.many(EndlessPosts.failing)
    else PostSerializer.many(Post.order(:id))
    end
  end
end
