# frozen_string_literal: true

require_relative "words"

module Fuzz
  # The part of Cases that makes serializers, and options for them.
  module Declarations
    include Words

    # names: what filters may say; associations: the names of serializers by key; views: names; in_views: by the name of
    # a view, the keys that the serializer itself declares in it; excluded: what a view leaves out.
    Declared = Struct.new(:model, :names, :associations, :views, :in_views, :excluded)

    private

    def serializers
      @declared = {}
      @around = []
      names = Schema::MODELS.reverse.flat_map { |model| [["S#{model}0", model], ["S#{model}1", model]] }
      modules + names.map { |name, model| serializer(name, model) }
    end

    # Serializers with names of their own.
    def of_model(model)
      @declared.select { |name, declared| declared.model == model && !name.include?(".") }.keys
    end

    def serializer(name, model)
      parent = of_model(model).any? && one_in?(2) ? pick(of_model(model)) : nil
      inherited = @declared[parent]
      @declared[name] = Declared.new(model, [*inherited&.names], {**inherited&.associations.to_h},
                                     [*inherited&.views], {}, [*inherited&.excluded])
      lines = body(name, model, pick([2, 4, 6]))
      lines.insert(@random.rand(lines.size + 1), module_line) if one_in?(4)
      lines << filters_for(name) if one_in?(6)
      lines.concat(Array.new(pick([0, 0, 1, 2])) { view(name, model) })
      lines.unshift(text(pick(FOR_ALL))) if one_in?(6)
      lines.insert(@random.rand(lines.size + 1), text("transform_keys #{pick(TRANSFORMS)}")) if one_in?(5)
      Tree.new("serializer(:#{name}#{", :#{parent}" if parent}) {\n  ", lines, "\n}", separator: "\n  ")
    end

    # own: the keys that are declared already.
    def body(name, model, size, own = [])
      outer = @own
      @own = own
      @around += [name]
      Array.new(size) { declaration(name, model) }.compact
    ensure
      @around -= [name]
      @own = outer
    end

    # A view that is declared a second time includes no other, since the other may include it.
    def view(owner, model)
      declared = @declared[owner]
      before = declared.associations
      declared.associations = {**before}
      name = (%w[v0 v1] - declared.views)[0] || pick(%w[v0 v1])
      lines = body(owner, model, pick([1, 2]), declared.in_views[name] ||= [])
      fresh = !declared.views.include?(name)
      lines << text("include_view :#{pick(declared.views)}") if fresh && declared.views.any? && one_in?(3)
      lines.concat(exclusion(declared)) if one_in?(3)
      return text("") if lines.empty?

      declared.views |= [name]
      Tree.new("view(:#{name}) {\n    ", lines, "\n  }", separator: "\n    ")
    ensure
      declared.associations = before
    end

    # What a view leaves out already, of its own or by include_view, it cannot leave out again.
    def exclusion(declared)
      names = declared.names - declared.excluded
      return [] if names.empty?

      declared.excluded |= [name = pick(names)]
      [text("exclude :#{name}")]
    end

    def declaration(owner, model)
      case @random.rand(13)
      when 12 then nested_line(owner, model)
      when 0, 1, 2 then attributes_line(owner, model)
      when 3 then aliases_line(owner, model)
      when 4, 5 then new_key(owner, %w[x0 x2]) { |key| text("attribute(:#{key}#{rule}#{pick(BLOCKS)}") }
      when 6 then new_key(owner, [*attribute_names(model), "x1"]) { |key| method_lines(key) }
      else association_line(owner, *pick(Schema::ASSOCIATIONS[model].to_a).flatten)
      end
    end

    # Yields one of keys that owner itself has not declared yet. What is declared in a view is in no filter.
    def new_key(owner, keys)
      keys -= @own
      return if keys.empty?

      key = pick(keys)
      @own << key
      declared = @declared[owner]
      declared.names |= [key] if declared.in_views.each_value.none? { |own| own.equal?(@own) }
      yield key
    end

    def attributes_line(owner, model)
      names = Array.new(pick([1, 2, 4])) { new_key(owner, attribute_names(model), &:itself) }.compact
      return if names.empty?

      options, methods = one_in?(3) ? conditions(names[0]) : [[], ""]
      Tree.new("attributes ", list(names.map { |name| ":#{name}" } + options), "#{rule}#{methods}")
    end

    def nested_line(owner, model)
      return if @around.size > 2

      new_key(owner, %w[nest]) do |key|
        block, declared = inline_serializer(owner, key, model)
        @declared[owner].names -= [key]
        @declared[owner].associations[key] = declared.last
        options, methods = one_in?(4) ? conditions(key) : [[], ""]
        parts = [Tree.new("", list(options.map { |option| ", #{option}" }), "", separator: ""), block]
        Tree.new("nested(:#{key}", parts, methods, separator: ") ", droppable: false)
      end
    end

    def aliases_line(owner, model)
      new_key(owner, %w[a1 a2 größe]) do |key|
        options, methods = one_in?(4) ? conditions(key) : [[], ""]
        Tree.new("aliases ", list(["#{pick(attribute_names(model))}: :#{key}", *options]), methods)
      end
    end

    def association_line(owner, name, kind, target)
      given, serializers = target == "*" ? polymorphic : single(target)
      inline = target != "*" && @around.size < 3 && one_in?(4)
      return unless given || inline

      new_key(owner, [one_in?(5) ? "n_#{name}" : name.to_s]) do |key|
        start = key == name.to_s ? "#{kind}(:#{name}" : "#{kind}(:#{name}, name: :#{key}"
        views = @declared[serializers[0]].views if given && !inline && serializers.size == 1
        start = "#{start}, view: :#{pick(views)}" if views&.any? && one_in?(2)
        next association(start, *inline_serializer(owner, key, target)) if inline

        block, methods = source_of(kind, name)
        association("#{start}, serializer: #{given}", block, [owner, key, serializers], methods)
      end
    end

    # start: what cannot be left out; block: what stands behind the brackets; declared: [owner, key, serializers'
    # names].
    def association(start, block, declared, methods = "")
      owner, key, serializers = declared
      @declared[owner].associations[key] = serializers
      bounded = leads_back?(serializers) || (serializers.size > 1 && one_in?(4))
      start = "#{start}, depth: #{pick([0, 1, 2])}" if bounded
      options, condition_methods = one_in?(6) ? conditions(key) : [[], ""]
      filters = start.include?(", view: ") ? [] : %w[only except] # a view may leave out what they name
      options += filters.filter_map { |filter| "#{filter}: #{filter_names(serializers)}" if one_in?(6) }
      parts = [Tree.new("", list(options.map { |option| ", #{option}" }), "", separator: ""), block]
      Tree.new(start, parts, "#{condition_methods}#{methods}", separator: ") ", droppable: false)
    end

    # Each association on such a way has to say how often.
    def leads_back?(serializers)
      inline = serializers.select { |name| name.include?(".") }
      (serializers & @around).any? || inline.any? { |name| leads_back?(@declared[name].associations.values.flatten) }
    end

    # [its block, what is declared]
    def inline_serializer(owner, key, model)
      name = "#{owner}.#{key}"
      @declared[name] = Declared.new(model, ["id"], {}, [], {}, [])
      lines = [text("attributes :id"), *body(name, model, pick([1, 2, 3]), ["id"])]
      [Tree.new("{ ", lines, " }", separator: "; "), [owner, key, [name]]]
    end

    # [source, names] of a serializer that is declared already, or of the one that is being declared.
    def single(target) = (pick(of_model(target)).then { |name| [name.inspect, [name]] } if of_model(target).any?)

    def polymorphic
      names = %w[B0 D0].to_h { |model| [model, of_model(model).first] }.compact
      return if names.empty?

      ["{#{names.map { |model, name| "\"Space::#{model}\" => \"#{name}\"" }.join(", ")}}", names.values]
    end

    def filters_for(name)
      text("def self.filters_for(context, scope) = scope == :few ? {only: #{filter_names([name])}} : {}")
    end

    def filter_names(serializers)
      names = serializers.flat_map { |name| @declared[name].names }.uniq
      chosen = names.empty? ? [] : Array.new(pick([1, 2, 3])) { pick(names) }.uniq
      "[#{chosen.map { |key| one_in?(4) ? key.inspect : ":#{key}" }.join(", ")}]"
    end

    def filter(serializers, levels = 2)
      associations = serializers.map { |name| @declared[name].associations }.reduce(:merge)
      nested = associations.select { |_, targets| one_in?(2) && (targets & serializers).empty? }
      return filter_names(serializers) if nested.empty? || levels.zero? || one_in?(2)

      pairs = nested.map { |key, targets| "#{key}: #{filter(targets, levels - 1)}" }
      "{#{["instance: #{filter_names(serializers)}", *pairs].join(", ")}}"
    end

    def options(name)
      given = [("only: #{filter([name])}" if one_in?(5)), ("except: #{filter([name])}" if one_in?(6)),
               ("context: #{pick(["\"c\"", "1", "nil"])}" if one_in?(4)),
               ("scope: #{pick([":admin", ":few", ":raise", "false"])}" if one_in?(4)),
               ("transform_keys: #{pick(TRANSFORMS)}" if one_in?(8)),
               ("view: :#{pick(@declared[name].views)}" if @declared[name].views.any? && one_in?(2))]
      Tree.new("{", list(given.compact), "}")
    end
  end
end
