# frozen_string_literal: true

module Katsu
  module Query
    # What code does with the value of a column, by its instructions: whether it surely leaves the value as it is.
    module ValueUses
      # The casts of columns whose values cannot change.
      IMMUTABLE = %i[integer float boolean date decimal].freeze
      ASKED = %i[! == != nil? blank? present? hash].freeze
      # By cast: the methods that change nothing and return something else than the value.
      TEXTS = [
        *ASKED, :[], :+, :*, :%, :=~, :<, :>, :<=, :>=, :<=>, :size, :length, :bytesize, :empty?, :include?,
        :start_with?, :end_with?, :match?, :match, :index, :rindex, :count, :to_i, :to_f, :to_sym, :ord, :upcase,
        :downcase, :capitalize, :swapcase, :strip, :lstrip, :rstrip, :chomp, :chop, :chr, :delete, :delete_prefix,
        :delete_suffix, :squeeze, :tr, :sub, :gsub, :reverse, :center, :ljust, :rjust, :split, :chars, :bytes,
        :partition, :rpartition, :scan, :slice, :squish, :truncate, :titleize, :parameterize
      ].freeze
      TIMES = [
        *ASKED, :+, :-, :<, :>, :<=, :>=, :<=>, :year, :month, :day, :hour, :min, :sec, :wday, :yday, :to_i, :to_f,
        :to_date, :strftime, :iso8601, :xmlschema, :to_fs, :past?, :future?, :today?
      ].freeze
      # Only calls without a block count: with a block, some of them return the value itself.
      METHODS = {string: TEXTS, datetime: TIMES, zoned_datetime: TIMES}.freeze
      # Methods that return the value itself, whose use is looked at in turn.
      SAME = {string: %i[to_s presence]}.freeze
      LITERALS = %i[putnil putobject putobject_INT2FIX_0_ putobject_INT2FIX_1_ putstring putchilledstring].freeze
      LEFT = %i[pop branchif branchunless].freeze
      private_constant :IMMUTABLE, :ASKED, :TEXTS, :TIMES, :METHODS, :SAME, :LITERALS, :LEFT

      class << self
        # type: the column's. The value is on the stack when the instruction at index of body begins. last: whether the
        # code's result is the field's value.
        def harmless?(type, body, index, last:)
          cast = cast(type)
          return true if IMMUTABLE.include?(cast) || ::ActiveRecord::Enum::EnumType === type

          methods = METHODS.fetch(cast) { return false }
          loop do
            return true if left?(body[index], last) || interpolated?(body, index)

            index += 2 if body[index + 1]&.first == :branchnil # &., behind a dup
            name = called(body, index)
            return true if methods.include?(name)
            return false unless SAME.fetch(cast, []).include?(name)

            index += 1
          end
        end

        # True of a column whose values depend on Time.zone.
        def time?(type) = cast(type) == :zoned_datetime

        private

        def cast(type) = Cast.name_of(Cast.number(type))

        # True if the value is dropped, if only its truth is tested, or if it is returned as the field's value.
        def left?(instruction, last)
          LEFT.include?(instruction&.first) || (last && instruction == [:leave])
        end

        def interpolated?(body, index)
          body[index, 3]&.map(&:first) == %i[dup objtostring anytostring]
        end

        # The method that is called of the value with arguments that are literals, or none.
        def called(body, index)
          arguments = body.drop(index).take_while { |instruction| LITERALS.include?(instruction[0]) }.size
          _, call, block = body[index + arguments]
          return if !call.is_a?(Hash) || block.is_a?(Array)

          call[:mid] if call[:orig_argc] + call.fetch(:kw_arg, []).size == arguments
        end
      end
    end
  end
end
