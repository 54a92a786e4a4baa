# frozen_string_literal: true

module Katsu
  # A method field, a block or a reader of the model made a query while a document was written, and
  # Katsu.config.on_lazy_load is :raise.
  class LazyLoadError < Error
  end
end
