# frozen_string_literal: true

module Katsu
  module Source
    # How one step is read: how is one of the numbers in source.rb, METHOD and so on; cast is the number of a column's
    # cast; column is the column's name, or of an association the key's; staleness is one of the STALE_ numbers for an
    # association.
    Access = Struct.new(:how, :cast, :column, :staleness) do
      def initialize(how, column, cast: 0, staleness: STALE_NEVER) = super(how, cast, column, staleness)
    end
  end
end
