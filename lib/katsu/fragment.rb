# frozen_string_literal: true

module Katsu
  # JSON text that is embedded verbatim.
  #
  #   Katsu.generate({count: 3, items: Katsu::Fragment.new("[1,2,3]")})
  #
  # The text is not checked: it must be JSON.
  Fragment = Struct.new(:json) do
    ##
    # :method: json
    # :call-seq: json -> String
    #
    # The text.

    ##
    # :method: json=
    # :call-seq: json=(json)
    #
    # Sets the text to json, which is not checked.

    # json: a String, or what converts to one with to_str; TypeError otherwise.
    def initialize(json)
      text = String.try_convert(json)
      raise TypeError, "no implicit conversion of #{json.class} into String" unless text

      super(text)
    end

    # The text itself.
    def to_json(*)
      json
    end

    # The text parsed, for encoders that do not know fragments. Raises JSON::ParserError.
    def as_json(*)
      ::JSON.parse(json, max_nesting: false, allow_duplicate_key: true)
    end
  end
end
