# frozen_string_literal: true

require "support/test_case"
require "support/differential"
require "support/mysql_columns"

# Every type of MariaDB and MySQL, by the trilogy adapter.
class TrilogyTest < TestCase
  include Differential

  COLUMNS = MysqlColumns::COLUMNS

  def self.connect(base)
    base.establish_connection(adapter: "trilogy", socket: ENV.fetch("KATSU_MYSQL"), username: "root", database: "katsu", encoding: "utf8mb4")
  end
end
