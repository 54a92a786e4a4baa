# frozen_string_literal: true

module Katsu
  module Rails
    # When the classes of an application are loaded again, what was found out about those of before is forgotten: it
    # would keep them in memory.
    module Reloading
      def self.forget
        Query::Selection.forget
        Query::CodeRows.forget
        Plan::Digest.forget
        Plan::ModelDigest.forget
        Plan::Mixed.forget
        Caching.forget
      end
    end
  end
end
