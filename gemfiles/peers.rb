# frozen_string_literal: true

# bin/bench peers: all that is compared beside Panko and Oj. Each Gemfile that evaluates this has a lock of its own,
# with the newest version that its Ruby takes, so a peer never decides which versions the tests run with.
eval_gemfile "common.rb"

gem "json", "~> 3.1"
gem "sqlite3", "~> 2.1"

# bin/bench request_peers --databases.
group :databases do
  gem "mysql2", "~> 0.5"
  gem "pg", "~> 1.5"
end

# bin/bench endpoint: a Rails application under Puma.
group :rails do
  gem "puma", "~> 7.0", require: false
  gem "railties", require: false
end

group :peers do
  gem "active_model_serializers", ">= 0.10.16"
  gem "alba", ">= 3.11"
  gem "blueprinter", ">= 1.2"
  gem "jbuilder", ">= 2.13"
  gem "jsonapi-serializer", ">= 2.2"
  gem "oj", ">= 3.17"
  gem "oj_serializers", ">= 2.0.3"
  gem "panko_serializer", "~> 0.8.5"
  gem "props_template", ">= 0.38"
  gem "serega", ">= 0.20"
end
