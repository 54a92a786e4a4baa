# frozen_string_literal: true

require_relative "body_tag"
require_relative "render_call"
require_relative "streamed_body"

module Katsu
  module Rails
    # `render json:` of controllers, with the options of serializers:
    #
    #   render json: posts, each_serializer: PostSerializer, only: [:id, :title]
    #   render json: post, serializer: PostSerializer, root: :post, meta: {version: 3}, status: :created
    #   render json: {posts: PostSerializer.many(posts), total: 3}
    #
    # Whatever names no serializer and holds no document of Katsu's is left to Rails.
    module Rendering
      def self.included(controller)
        controller.class_attribute :katsu_scope_source, instance_accessor: false
        controller.class_attribute :katsu_default_serializers, instance_accessor: false, default: false
        controller.extend(ClassMethods)
      end

      # The words of a controller's body.
      module ClassMethods
        # What serializers see as scope if `render json:` gives none: a method of the controller, public or private, or
        # a block that is run in it. nil: nothing.
        #
        #   katsu_scope :current_user
        #   katsu_scope { current_user.account }
        def katsu_scope(name = nil, &block)
          unless block ? name.nil? : name.nil? || name.is_a?(Symbol)
            raise ArgumentError, "#{self}: katsu_scope takes the name of a method as a Symbol, or a block, or nil " \
                                 "(got #{name.inspect})"
          end

          self.katsu_scope_source = block || name
        end
      end

      # Rails calls it with all that render was given.
      def render_to_body(options = {})
        return super unless options.key?(:json)

        call = RenderCall.new(self, options)
        return super unless (json = call.json)

        body = super(call.rest(json)) # sets the status and the content type, too
        if call.stream
          katsu_send_unread
          StreamedBody.new(call.stream)
        else
          BodyTag.note(request, body)
          body
        end
      end

      # The response, when nothing of the controller can change it any more.
      def to_a
        BodyTag.add(self)
        super
      end

      # What the controller declares as scope.
      def katsu_scope
        case (source = self.class.katsu_scope_source)
        when Symbol then send(source)
        when Proc then instance_exec(&source)
        end
      end

      private

      # Bodies of Rails 7 have a to_ary, which Rack::ETag takes as leave to read them before they are sent, for a tag
      # of theirs. It leaves alone what says when it was modified.
      def katsu_send_unread
        return if ::Rails::VERSION::MAJOR >= 8 || response.last_modified?

        response.last_modified = Time.now
      end
    end
  end
end
