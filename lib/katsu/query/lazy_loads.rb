# frozen_string_literal: true

module Katsu
  module Query
    # The queries that are made while a document is written: whatever a plan reads is loaded before that, so they come
    # from method fields, blocks and the models' own methods, mostly once for each object.
    class LazyLoads
      IGNORED = ["SCHEMA", "TRANSACTION"].freeze
      CURRENT = :katsu_lazy_loads
      private_constant :IGNORED, :CURRENT

      @lock = Mutex.new

      class << self
        # Runs the block, in which reading's plan writes objects, and looks after its queries if the settings say so.
        def watch(reading)
          return yield if !Ractors.main? || Katsu.config.on_lazy_load == :allow # there are no records in other Ractors

          listen
          outer = Thread.current[CURRENT]
          watcher = Thread.current[CURRENT] = new(reading, outer, Katsu.config.on_lazy_load)
          begin
            yield
          ensure
            Thread.current[CURRENT] = outer
            watcher.report
          end
        end

        # Runs the block, whose queries are not lazy loads of what reading's plan writes; of any document if there is no
        # reading. A document in a field of another one loads its objects for each object of that one.
        def pause(reading = nil)
          current = Thread.current[CURRENT]
          return yield unless current&.of?(reading)

          begin
            Thread.current[CURRENT] = (current.outer if reading)
            yield
          ensure
            Thread.current[CURRENT] = current
          end
        end

        # Yields each of the elements that reading's plan writes. The queries that read them are no lazy loads; those of
        # the block are looked after.
        def each_of(reading, elements, &block)
          current = Thread.current[CURRENT]
          return elements.each(&block) unless current&.of?(reading)

          pause(reading) do
            elements.each { |*values| current.resume { yield(*values) } }
          end
        end

        # Begins to listen to ActiveRecord's queries, once.
        def listen
          return unless defined?(::ActiveSupport::Notifications)

          @lock.synchronize do
            @listening ||= ::ActiveSupport::Notifications.subscribe("sql.active_record") do |*, payload|
              Thread.current[CURRENT]&.met(payload)
            end
          end
        end
      end

      # What looks after the document around this one, or nil.
      attr_reader :outer

      def initialize(reading, outer, on_lazy_load)
        @reading = reading
        @outer = outer
        @raises = on_lazy_load == :raise
        @counts = Hash.new(0)
      end

      # True if reading's plan is the one that writes; of any plan if there is no reading.
      def of?(reading)
        reading.nil? || @reading.equal?(reading)
      end

      # Runs the block within a pause as if there were none.
      def resume
        Thread.current[CURRENT], paused = self, Thread.current[CURRENT]
        yield
      ensure
        Thread.current[CURRENT] = paused
      end

      # Counts a query, or raises LazyLoadError.
      def met(payload)
        return if IGNORED.include?(payload[:name])

        @fields ||= Fields.new(@reading.plan)
        field = @fields.of(caller_locations(2))
        raise LazyLoadError, text(field, payload) if @raises

        @counts[field] += 1
      end

      # Logs what was counted, a line for each field.
      def report
        @counts.each do |field, count|
          queries = count == 1 ? "1 query" : "#{count} queries"
          say("#{@reading.serializer}: #{queries} in #{field} while it was written; #{advice}")
        end
      end

      private

      def text(field, payload)
        query = "#{payload[:name] || "SQL"}: #{payload[:sql].to_s[0, 200]}"
        "#{@reading.serializer}: a query in #{field} while it was written (#{query}); #{advice}"
      end

      def advice
        "an association that it reads is loaded for all objects at once by needs: [:name_of_the_association]"
      end

      def say(line)
        logger = ::ActiveRecord::Base.logger
        logger ? logger.warn("katsu: #{line}") : warn("katsu: #{line}")
      end

      # Finds the field of a plan by the Ruby code that is running.
      class Fields
        # Where a query comes from that no field's code makes.
        OTHER = "a document that a field gives, in a method of a model, or in an association that is loaded for each " \
                "record by itself (explain names it)"

        def initialize(plan)
          @places = {}
          collect(plan, [], {}.compare_by_identity)
        end

        # The path of the innermost field among locations, such as comments.excerpt.
        def of(locations)
          locations.each do |location|
            fields = @places[location.absolute_path || File.expand_path(location.path)] || []
            found = fields.select { |line, last, _| location.lineno.between?(line, last) }
            return found.max_by(&:first).last if found.any?
          end
          OTHER
        end

        private

        def collect(plan, path, met)
          return if met[plan] || !plan.is_a?(Plan)

          met[plan] = true
          plan.steps.each do |step|
            place(plan.serializer, step.call, [*path, step.key]) if step.call
            step.conditions.each { |condition| place(plan.serializer, condition.call, [*path, step.key]) }
            collect(step.plan, [*path, step.key], met) if step.plan
          end
        end

        def place(serializer, call, path)
          names = call.around || ([call.name] unless call.body)
          codes = names ? names.map { |name| serializer.instance_method(name) } : [call.body]
          codes.each do |code|
            file, line = code.source_location
            (@places[File.expand_path(file)] ||= []) << [line, last_line(code, line), path.join(".")] if file
          end
        end

        # Ruby tells the line in which a method begins; only CRuby's instructions tell the last one.
        def last_line(code, line)
          return line unless defined?(::RubyVM::InstructionSequence)

          instructions = ::RubyVM::InstructionSequence.of(code)
          [line, *instructions&.trace_points&.map(&:first)].max
        end
      end
      private_constant :Fields
    end
  end
end
