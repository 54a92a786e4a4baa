# frozen_string_literal: true

module Katsu
  # A method field, a block or a condition read of its object what its needs: does not name.
  class NeedsError < Error
    # name: the method that was called. known: what is loaded. association: that whose rows it was called on, if it was
    # not called on a row.
    def initialize(name, model, known, association = nil)
      super(association ? of_collection(name, model, association) : of_row(name, model, known))
    end

    private

    def of_row(name, model, known)
      "#{name} of #{model} is not loaded; loaded are #{known.join(", ")}. A field with needs: names there all that " \
        "it reads; without needs: its object is the record.#{NearestName.hint(name, known)}"
    end

    def of_collection(name, model, association)
      "#{association} of #{model} is an Array of rows, and #{name} is a question to the database; without needs: the " \
        "object of the field is the record, which can ask it."
    end
  end
end
