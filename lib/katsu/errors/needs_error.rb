# frozen_string_literal: true

module Katsu
  # A method field, a block or a condition read of its object what its needs: does not name.
  class NeedsError < Error
    def initialize(name, model, known)
      super("#{name} of #{model} is not loaded; loaded are #{known.join(", ")}. A field with needs: names there all " \
            "that it reads; without needs: its object is the record.#{NearestName.hint(name, known)}")
    end
  end
end
