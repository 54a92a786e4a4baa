# frozen_string_literal: true

module Katsu
  module Query
    # What a model does when a record is loaded, which rows would pass over.
    module ModelChecks
      CALLBACKS = {after_find: :_find_callbacks, after_initialize: :_initialize_callbacks}.freeze
      LOADERS = %i[instantiate find_by_sql discriminate_class_for_record
                   _query_by_sql _load_from_sql instantiate_instance_of attributes_builder].freeze
      private_constant :CALLBACKS, :LOADERS

      class << self
        # What is another object after a callback was added or taken away.
        def callbacks(model)
          CALLBACKS.each_value.map { |chain| model.public_send(chain) }
        end

        # True if the model has the callbacks that it had.
        def callbacks?(model, callbacks)
          callbacks[0].equal?(model._find_callbacks) && callbacks[1].equal?(model._initialize_callbacks)
        end

        # True for the name of a class method that makes records.
        def loader?(name) = LOADERS.include?(name)

        # [[why, advice], ...]
        def obstacles(model)
          found = CALLBACKS.filter_map do |word, chain|
            ["#{model} has #{word}, which is called with each record", nil] unless model.public_send(chain).empty?
          end
          overridden = LOADERS.find { |name| !Source::ReaderPatches.own?(model.method(name)) }
          own = Source::ReaderPatches.own?(model.instance_method(:init_with_attributes))
          overridden ||= :init_with_attributes unless own
          overridden ? [*found, ["#{model} overrides #{overridden}", nil]] : found
        end
      end
    end
  end
end
