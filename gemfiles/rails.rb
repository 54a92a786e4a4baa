# frozen_string_literal: true

# What the gemfiles of the Rails versions share: each adds the ActiveRecord that it tests, and a json that it works
# with.
eval_gemfile "common.rb"

gem "sqlite3", "~> 2.1"

# Controllers, the log and the generator: test/rails. Its version is that of ActiveRecord. An application under Puma:
# test/rails_app.
group :rails do
  gem "puma", "~> 7.0", require: false
  gem "railties", require: false
end

# Watches how associations are read: test/conformance/watchers_test.rb.
group :watchers do
  gem "bullet", "~> 8.1", require: false
end

# Rows and models without ActiveSupport: test/conformance/without_rails_test.rb.
gem "sequel", "~> 5.80", require: false

# Servers: bin/test --databases.
group :databases do
  gem "mysql2", "~> 0.5"
  gem "pg", "~> 1.5"
  gem "trilogy", "~> 2.9"
end

# Compared with in bin/demo and bin/bench; nothing else needs them.
group :peers do
  gem "alba", "~> 3.10"
  gem "oj", "~> 3.17"
  gem "panko_serializer", "~> 0.8.5"
end
