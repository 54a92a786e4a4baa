# frozen_string_literal: true

module Fuzz
  # The part of Cases that makes what is serialized: records in random states, Hashes and other objects.
  module States
    CALLS = %w[.dup .clone .reload .freeze .tap(&:readonly!) .tap(&:destroy) .tap(&:save!) .tap(&:changes_applied)
               .tap(&:strict_loading!)].freeze
    VALUES = ["1", "\"ü\"", "nil", "2.5", "Time.at(0).utc", "\"q\\\"\"", "[1]", "{a: 1}", ":sym", "Date.new(2026)",
              "BigDecimal(\"1.5\")"].freeze
    IDS = %w[1 2 3 nil 9].freeze

    private

    def object(model)
      case @random.rand(14)
      when 0, 1 then other_object(model)
      when 2 then Tree.new("#{one_in?(4) && model == "B0" ? "C0" : model}.new(", assignments(model), ")")
      when 3 then text("nil")
      else Tree.new("", [loaded(model), *Array.new(pick([0, 1, 1, 2, 3])) { state(model) }], "", separator: "")
      end
    end

    def value_for(kind) = pick(Column::ALL[kind].values)

    def assignments(model)
      @columns[model].select { one_in?(2) }.map { |name, kind| text("#{name}: #{value_for(kind)}") }
    end

    def some(names) = names.select { one_in?(2) }.map { |name| ":#{name}, " }.join

    # kept is as find, without a query each time. c0 is always selected, as al is an alias of it: on a record with
    # methods of its own the backends raise errors of different classes for an alias whose column is missing.
    def loaded(model)
      id = @random.rand(1..Schema::ROWS)
      associations = Schema::ASSOCIATIONS[model].keys
      text(case @random.rand(16)
           when 0 then "#{model}.select(:id, :c0, #{some(@columns[model].keys)}*#{Schema::KEYS[model]}).find(#{id})"
           when 1, 2 then "#{model}.includes(#{some(associations)}*[]).find(#{id})"
           when 3 then "#{model}.eager_load(:#{pick(associations - %i[subject])}).find(#{id})"
           when 4 then "row(#{model}, #{id})"
           when 5 then "#{model}.select(\"*, 7 AS x1\").find(#{id})"
           when 6 then "#{model}.find(#{id})"
           else "#{model}.kept(#{id})"
           end)
    end

    def tap(source) = text(".tap { |r| #{source} }")

    def state(model)
      name, kind = pick(@columns[model].to_a)
      case @random.rand(19)
      when 0, 1, 2 then tap("r.#{name}")
      when 3, 4, 5 then tap("r.#{name} = #{value_for(kind)}")
      when 6, 7 then changed_in_place(name, Column::ALL[kind].changes)
      when 8 then text(pick(CALLS))
      when 9 then tap(noticed(name))
      when 10 then text(model == "B0" ? ".becomes(C0)" : ".then { |r| Marshal.load(Marshal.dump(r)) }")
      when 11 then tap("def r.#{pick([name, "shout"])} = \"singleton\"")
      when 12 then text(".extend(Module.new { def #{name} = \"extended\" })")
      when 13 then tap("r.write_attribute(:#{name}, #{value_for(kind)})")
      when 14 then tap("r.assign_attributes(#{name}: #{value_for(kind)}, #{pick(Schema::KEYS[model])}: #{pick(IDS)})")
      else association_state(model)
      end
    end

    def changed_in_place(name, changes)
      changes.empty? ? tap("r.attributes") : tap("r.#{name}&.then { |value| value#{pick(changes)} }")
    end

    def noticed(name)
      pick(["r.restore_attributes", "r.clear_changes_information", "r.#{name}_will_change!", "r.attributes",
            "r.as_json",
            "r.inspect", "r.#{name}_was", "r.update!(#{name}: r.#{name})"])
    end

    def association_state(model)
      name, (kind, target) = pick(Schema::ASSOCIATIONS[model].to_a)
      target = pick(%w[B0 D0]) if target == "*"
      inner = Tree.new("", [loaded(target), *Array.new(pick([0, 0, 1])) { state(target) }], "", separator: "").source
      key = pick(Schema::KEYS[model])
      calls = kind == "has_one" ? calls_of_one(name, inner) : calls_of_many(name, inner)
      tap(pick([*calls, "r.#{name}", "r.association(:#{name}).reset", "r.#{key} = #{pick(IDS)}",
                "r.#{name}; r.#{key} = #{pick(IDS)}"]))
    end

    def calls_of_many(name, inner)
      ["r.association(:#{name}).target = [#{inner}]", "r.#{name}.to_a", "r.#{name}.build", "r.#{name} = [#{inner}]",
       "r.#{name}.to_a.first&.c0 = nil", "r.#{name}.to_a.first&.freeze"]
    end

    def calls_of_one(name, inner)
      ["r.association(:#{name}).target = #{inner}", "r.#{name}&.id", "r.#{name} = #{pick(["nil", inner])}",
       name == :subject ? "r.subject" : "r.build_#{name}", "r.#{name}&.c0 = nil", "r.#{name}&.freeze"]
    end

    # Hashes and objects that have what a serializer of the model may ask for.
    def other_object(model, depth = 1)
      kind = pick(%w[hash strings plain struct open delegate])
      return Tree.new("delegate(", [loaded(model)], ")", droppable: false) if kind == "delegate"

      names = attribute_names(model) - %w[al shout v0] + Schema::ASSOCIATIONS[model].keys.map(&:to_s)
      pairs = names.map do |name|
        Tree.new(kind == "strings" ? "\"#{name}\" => " : "#{name}: ", [other_value(name, model, depth)], "",
                 droppable: false)
      end
      opener, closer = %w[hash strings].include?(kind) ? %w[{ }] : ["#{kind}(", ")"]
      Tree.new(opener, pairs, closer)
    end

    def other_value(name, model, depth)
      kind, target = Schema::ASSOCIATIONS[model][name.to_sym]
      inner = -> { one_in?(2) ? other_object(target, 0) : loaded(target) }
      if kind.nil? then text(pick(VALUES))
      elsif depth.zero? || target == "*" then text(kind == "has_one" ? "nil" : pick(["nil", "[]"]))
      else kind == "has_one" ? inner.call : Tree.new("[", Array.new(pick([0, 1, 2])) { inner.call }, "]")
      end
    end
  end
end
