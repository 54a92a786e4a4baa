# frozen_string_literal: true

module Katsu
  module Rails
    # config.katsu of an application: a name or a value that means nothing is refused when the application starts.
    module Settings
      # A value of a setting: where a Rack application is mounted.
      PATH = Object.new
      def PATH.===(value) = value.is_a?(String) && value.match?(%r{\A/[^/]})
      def PATH.inspect = 'a path such as "/katsu"'

      # known: {name => Array of its values, or of what === them}. Raises ArgumentError.
      def self.check(given, known)
        given.each do |name, value|
          unless known.key?(name)
            raise ArgumentError, "config.katsu has no setting #{name}; there are #{known.keys.join(", ")}." \
                                 "#{NearestName.hint(name, known.keys)}"
          end
          next if known[name].any? { |accepted| accepted === value }

          raise ArgumentError, "config.katsu.#{name} = #{value.inspect}; " \
                               "accepted are #{known[name].map(&:inspect).join(" and ")}"
        end
      end
    end
  end
end
