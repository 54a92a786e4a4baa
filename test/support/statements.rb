# frozen_string_literal: true

# Statements of which parts are kept. The reference is what ActiveRecord's to_sql_and_binds gives.
module Statements
  # Yields the model's connection twice: the second time it prepares no statements.
  def ways(model)
    model.with_connection do |connection|
      yield connection
      connection.unprepared_statement { yield connection }
    end
  end

  # written: what is to be equal to ActiveRecord's statement of arel.
  def assert_statement(connection, arel, written, message = nil)
    expected = connection.send(:to_sql_and_binds, arel)
    assert_equal expected, written, message
    assert_equal expected[1].map(&:class), written[1].map(&:class)
    assert_equal [expected[0].encoding, true], [written[0].encoding, written[0].frozen?]
    assert_equal connection.send(:type_casted_binds, expected[1]), connection.send(:type_casted_binds, written[1])
  end
end
