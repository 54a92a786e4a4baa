# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # One step of a plan, with what is known of it for objects of one class.
      class Field
        # hash_size: how many keys the first Hash has, if it has a String key.
        attr_reader :step, :index, :access, :hash_size

        # object: the first of its class, which tells what to expect of the others.
        def initialize(step, index, access, klass, object)
          @step = step
          @class = klass
          @object = object
          @index = index
          @access = access
          @expected = Expectations.cast(step, access, klass, object)
          @string_key = Expectations.string_key?(step, access, klass, object)
          @hash_size = object.size if @string_key
        end

        # The key as a Ruby literal.
        def key = @step.key.inspect

        # The name that is read, as a Ruby literal.
        def name = @step.name.inspect

        # True if the key is always written.
        def always?
          !@step.optional? && !@step.limited?
        end

        # True if the key is always written and its value is no other object's document.
        def own_value?
          always? && !@step.plan
        end

        # True if the first Hash has a String key.
        def string_key? = @string_key

        # True for a column.
        def column?
          @access.how == Source::COLUMN
        end

        # Where a column is in the rows of a Query::Row class.
        def position
          @class.position(@access.column)
        end

        # True for a column of JSON text.
        def json_column?
          @step.kind == :attribute && cast == :json
        end

        # The ValueCode of the only value that is expected in the variable, by its column's cast or by the first object;
        # or nil.
        def expected_code(variable)
          return unless own_value?

          ValueCode.for_cast(cast, variable) || ValueCode.expected(@expected, variable)
        end

        # The ValueCode of a column's raw value in the variable; nil if there is none.
        def raw_code(variable)
          ValueCode.for_raw(cast, variable) if own_value?
        end

        # The Inlined of a record's association; nil if there is none.
        def inlined
          return @inlined if defined?(@inlined)

          @inlined = Inlined.of(@step, @access, @object)
        end

        # True for a column whose Ruby value can change in place, or depends on Time.zone.
        def mutable?
          Cast.mutable?(cast)
        end

        # The ValueCodes to try for the variable, in this order.
        def codes(variable)
          ValueCode.all(@step.kind == :attribute ? cast : nil, variable)
        end

        private

        # The fallback for what is no column.
        def cast = Cast.name_of(@access.cast)
      end
    end
  end
end
