# frozen_string_literal: true

module Katsu
  module Migrate
    # One file, and the classes in it that a Translator knows.
    class SerializerFile
      # A class that is translated: its node, its Translator and its new parent.
      Found = Struct.new(:node, :translator, :parent)

      ASSOCIATIONS = %i[belongs_to has_many has_one].freeze
      private_constant :ASSOCIATIONS

      attr_reader :path, :notes

      # Looks for classes of gems in all files, and then for those that inherit from them.
      def self.relate(files)
        translators = {}
        loop do
          before = translators.size
          files.each { |file| translators.update(file.look(translators)) }
          break if translators.size == before
        end
        names = translators.to_h { |name, _| [name, Migrate.serializer_name(name)] }
        found = {names: names}
        %i[associations parents own_methods class_methods].each do |what|
          found[what] = files.map(&what).reduce({}, :merge)
        end
        files.each { |file| file.tell(found) }
      end

      # Raises SyntaxError.
      def initialize(path, text)
        @path = path
        @source = Source.new(text, path)
        @classes = classes(@source.tree)
        @found = {}
        @notes = []
      end

      # The Translators of this file's classes by name, of those that inherit from one of these, too.
      def look(translators)
        @classes.each do |node|
          @found[node] ||= found(node, translators)
        end
        @found.compact.to_h { |node, found| [node.name.name, found.translator] }
      end

      # The names of associations that this file's classes declare, by the name of the class.
      def associations
        @found.compact.to_h do |node, _|
          calls = statements(node).grep(::Prism::CallNode).select { |call| ASSOCIATIONS.include?(call.name) }
          [node.name.name, calls.filter_map { |call| Arguments.new(call).names.first }]
        end
      end

      # The names of classes that this file's classes inherit from, by the name of the class.
      def parents
        @found.compact.to_h { |node, _| [node.name.name, node.superclass&.slice.to_s[/\w+\z/]] }
      end

      # The names of methods that this file's classes define, by the name of the class.
      def own_methods
        @found.compact.to_h do |node, _|
          own = statements(node).grep(::Prism::DefNode).select { |one| one.receiver.nil? }
          [node.name.name, own.map { |one| one.name.name }]
        end
      end

      # The names of class methods that this file's classes define, by the name of the class.
      def class_methods
        @found.compact.to_h do |node, _|
          singleton = statements(node).grep(::Prism::SingletonClassNode).flat_map { |one| statements(one) }
          own = statements(node).grep(::Prism::DefNode).select { |one| one.receiver.is_a?(::Prism::SelfNode) }
          [node.name.name, (singleton.grep(::Prism::DefNode) + own).map(&:name)]
        end
      end

      # What is known of the classes of all files: see Translator#initialize.
      def tell(known)
        @known = known
      end

      # True if there is something to translate.
      def any?
        @found.compact.any?
      end

      # The new text.
      def translated
        @found.compact.each_value do |found|
          translator = found.translator.new(@source, @known)
          translator.translate(found.node, found.parent)
          @notes.concat(translator.notes)
        end
        @source.to_s
      end

      # Where the new file stands: beside this one. One that Rails would load twice has another extension.
      def target
        name = File.basename(@path, ".rb").sub(/_(?:resource|blueprint|serializer)\z/, "")
        target = File.join(File.dirname(@path), "#{name}_serializer.rb")
        target == @path ? "#{target}.katsu" : target
      end

      private

      def classes(node)
        own = node.is_a?(::Prism::ClassNode) ? node : AssignedClass.of(node)
        [*own] + node.compact_child_nodes.flat_map { |child| classes(child) }
      end

      def found(node, translators)
        parent = node.superclass&.slice
        translator = parent ? PARENTS[parent.delete_prefix("::")] : mixed_in(node)
        return Found.new(node, translator, "Katsu::Serializer") if translator

        inherited = translators[parent[/\w+\z/]] || (mixed_in(node) if parent.match?(OLD_NAME)) if parent
        inherited && Found.new(node, inherited, Migrate.serializer_name(parent))
      end

      def mixed_in(node)
        included = statements(node).grep(::Prism::CallNode).select { |call| call.name == :include }
        included.flat_map { |call| Arguments.new(call).positional }
                .filter_map { |name| MIXINS[name.slice.delete_prefix("::")] }.first
      end

      def statements(node)
        node.body.is_a?(::Prism::StatementsNode) ? node.body.body : []
      end
    end
  end
end
