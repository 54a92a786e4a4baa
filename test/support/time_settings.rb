# frozen_string_literal: true

# The settings that decide how times are read and written.
module TimeSettings
  # In the order that apply takes them.
  def current_settings
    [ActiveRecord.default_timezone, Time.zone, ActiveSupport::JSON::Encoding.time_precision,
     ActiveSupport::JSON::Encoding.use_standard_json_time_format]
  end

  def apply(default_timezone, zone, precision, standard)
    ActiveRecord.default_timezone = default_timezone
    Time.zone = zone
    ActiveSupport::JSON::Encoding.time_precision = precision
    ActiveSupport::JSON::Encoding.use_standard_json_time_format = standard
  end
end
