# frozen_string_literal: true

module Katsu
  module Source
    # How one step is read: how is one of the numbers in source.rb, METHOD and so on; cast is the number of a column's cast, or
    # for an association one of the STALE_ numbers; column is the column's name, or of an association the key's.
    Access = Struct.new(:how, :cast, :column)
  end
end
