# frozen_string_literal: true

require "support/query_behaviour"

# The same with a server. The class that includes this also gives
#   lose(model)   ends the server's side of the model's connection
module ServerBehaviour
  include QueryBehaviour

  def test_a_connection_that_the_server_ended_is_made_again
    [-> { records(notes) }, -> { NoteSerializer.many(notes).to_json }].each do |query|
      expected = query.call
      lose(note)
      assert_equal expected, query.call
    end
  end

  def test_a_connection_that_the_server_ended_in_a_transaction
    texts # from here on the tables' columns are known: whoever needs them first asks the server
    assert_same_failure(notes) do |&query|
      note.transaction do
        note.connection.materialize_transactions
        lose(note)
        query.call
      end
    end
    assert_equal 2, texts.size
    assert_equal 0, note.connection.open_transactions
  end
end
