# frozen_string_literal: true

# Posts for streams: without an end, so that only a client who goes away ends them, and with an error at the end.
module EndlessPosts
  class << self
    # How many streams ended.
    attr_accessor :ended

    def posts
      Enumerator.new { |rows| loop { Post.order(:id).each { |post| rows << post } } }
    end

    # About 100 kB of titles, and then what FailingSerializer does not take.
    def failing
      Enumerator.new do |rows|
        40.times { Post.where.not(views: 2000).each { |post| rows << post } }
        rows << Post.find_by!(views: 2000)
      end
    end
  end
  self.ended = 0
end
