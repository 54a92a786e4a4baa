# frozen_string_literal: true

require "support/test_case"
require "support/differential"
require "support/mysql_columns"

# Every type of MariaDB and MySQL, by the mysql2 adapter.
class Mysql2Test < TestCase
  include Differential

  COLUMNS = MysqlColumns::COLUMNS

  def self.connect(base)
    base.establish_connection(adapter: "mysql2", socket: ENV.fetch("KATSU_MYSQL"), username: "root", database: "katsu", encoding: "utf8mb4")
  end
end
