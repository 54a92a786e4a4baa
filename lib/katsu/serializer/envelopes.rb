# frozen_string_literal: true

module Katsu
  class Serializer
    # The envelopes of a serializer class: what it declares, with what a call says.
    module Envelopes
      # The Envelope of a call of render with these options. Raises ArgumentError.
      def envelope(objects, many, options)
        given = options.key?(:root)
        root = given ? options[:root] : declared_root[many ? 1 : 0]
        declared = meta_of(objects, options, root) if root || !given
        Envelope.of(self, root, objects, options, declared)
      rescue *Ractors::ISOLATION_ERRORS => e
        raise Error, Ractors.refusal(self, e)
      end

      protected

      def declared_root
        @root || (superclass.respond_to?(:declared_root, true) ? superclass.declared_root : [])
      end

      # A Hash or a Call; nil if there is none. false in @meta ends that of a parent.
      def declared_meta
        meta = @meta
        meta = superclass.declared_meta if meta.nil? && superclass.respond_to?(:declared_meta, true)
        meta || nil
      end

      # For a document without a root: true if the class says so, or a parent, and inherits its meta.
      def meta_left_out?
        return false unless @meta.nil?

        !@root.nil? || (superclass.respond_to?(:meta_left_out?, true) && superclass.meta_left_out?)
      end

      private

      def meta_of(objects, options, root)
        meta = declared_meta
        return if meta.nil? || (!root && meta_left_out?)
        return meta unless meta.is_a?(Call)

        serializer = Call.instance(self, options[:context], options[:scope])
        answer = serializer.__send__(meta.name, *[objects, options[:context]].first(meta.arguments))
        return answer if answer.nil? || answer.is_a?(Hash)

        raise Error, "#{self}: the block of meta gave a #{answer.class}; it gives a Hash, or nil for none"
      end
    end
  end
end
