# frozen_string_literal: true

module Katsu
  # JSON text that is embedded verbatim.
  #
  #   Katsu.generate({count: 3, items: Katsu::Fragment.new("[1,2,3]")})
  #
  # The text is not checked: that it is JSON is the caller's word.
  Fragment = Struct.new(:json) do
    # json: a String, or what converts to one with to_str; TypeError otherwise.
    def initialize(json)
      text = String.try_convert(json)
      raise TypeError, "no implicit conversion of #{json.class} into String" unless text

      super(text)
    end

    def to_json(*)
      json
    end

    # For encoders that know no fragments.
    def as_json(*)
      ::JSON.parse(json)
    end
  end
end
