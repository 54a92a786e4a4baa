# frozen_string_literal: true

module Katsu
  module Portable
    # What a Batch does with objects of one class that are written from rows, many in a call. Whether their text needs
    # escapes is looked at once for all of it: a call of match? for each text takes a third of a record's time. Objects
    # whose text needs them are written anew.
    module RowRuns
      # Fewer objects are written one by one.
      RUN = 8
      private_constant :RUN

      # The JSON that a call writes, the text in it, and where each object ends in both. ends begins with 0, where the
      # first object begins.
      Run = Struct.new(:json, :ends, :texts, :text_ends) do
        # The one of this thread; or a new one for a call within a call.
        def self.take
          thread = Thread.current
          run = thread[:katsu_run]
          thread[:katsu_run] = nil
          run || new(String.new(encoding: Encoding::UTF_8), [0], String.new(encoding: Encoding::BINARY), [])
        end

        def give_back
          Thread.current[:katsu_run] = self if json.bytesize <= Limits::CHUNK
        end

        # bytesplice keeps the memory, clear gives it back.
        def clear
          [json, texts].each do |string|
            string.bytesize > Limits::CHUNK ? string.clear : string.bytesplice(0, string.bytesize, "")
          end
        end
      end
      private_constant :Run

      private

      # Writes objects from the one at index on, as many as can be written so. Returns the index of the first that is
      # not.
      def write_rows(code, objects, index, flushes)
        pace = code.pace
        run = Run.take
        whole = true
        while whole && index < objects.size && !pace.resting?
          limit = [index + pace.size, objects.size].min
          written = write_row_run(code, objects, index, limit, run)
          pace.wrote(written - index, whole: whole = written == limit)
          index = written
          flush if flushes && @out.bytesize >= Limits::CHUNK
        end
        run.give_back
        index
      end

      def write_row_run(code, objects, index, limit, run)
        run.clear
        written = code.rows(objects[index]).call(self, objects, index, limit, *run)
        if Text.unescaped_bytes?(run.texts) then @out.append_as_bytes(run.json)
        else write_escaped(code, objects, index, run)
        end
        written
      end

      # Writes what was written in a run, but the objects whose text needs escapes anew.
      def write_escaped(code, objects, index, run)
        from = 0
        places = places_to_escape(run.texts, run.text_ends)
        places.each do |place|
          @out.append_as_bytes(run.json.byteslice(from, run.ends[place] - from))
          object = objects[index + place]
          code.write(object).call(self, object, @out, (index + place).positive? ? ",{" : "{")
          from = run.ends[place + 1]
        end
        @out.append_as_bytes(run.json.byteslice(from, run.json.bytesize - from))
        code.pace.escaped(places.size)
      end

      # The places of the objects whose text needs escapes.
      def places_to_escape(texts, text_ends)
        places = []
        place = at = 0
        while (at = Text.escape_in(texts, at))
          place += 1 while text_ends[place] <= at
          places << place
          at = text_ends[place]
        end
        places
      end
    end
  end
end
