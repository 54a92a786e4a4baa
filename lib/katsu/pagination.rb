# frozen_string_literal: true

module Katsu
  # Where a page stands, as kaminari, will_paginate and pagy tell it: {page:, per_page:, pages:, total:, next:,
  # previous:}.
  module Pagination
    # What each says its numbers by; the first that has all of them counts.
    READERS = {
      kaminari: {page: :current_page, per_page: :limit_value, pages: :total_pages, total: :total_count,
                 next: :next_page, previous: :prev_page},
      will_paginate: {page: :current_page, per_page: :per_page, pages: :total_pages, total: :total_entries,
                      next: :next_page, previous: :previous_page},
      pagy: {page: :page, per_page: :limit, pages: :pages, total: :count, next: :next, previous: :prev},
      pagy_by_items: {page: :page, per_page: :items, pages: :pages, total: :count, next: :next, previous: :prev},
      pagy_by_last: {page: :page, per_page: :limit, pages: :last, total: :count, next: :next, previous: :previous}
    }.freeze
    private_constant :READERS

    # What stands in meta; nil if pagination: is not given. true: the objects are a page themselves.
    def self.meta(owner, objects, given)
      {pagination: of(owner, given == true ? objects : given)} if given
    end

    # The Hash of one that says them: a page of kaminari or will_paginate, or a Pagy. Raises ArgumentError; owner: for
    # it.
    def self.of(owner, page)
      readers = READERS.each_value.find { |names| names.each_value.all? { |name| page.respond_to?(name) } }
      return readers.transform_values { |name| page.public_send(name) } if readers

      raise ArgumentError, "#{owner}: pagination: #{page.class} tells no page; accepted are true for a page " \
                           "of kaminari or will_paginate (such as Post.page(2)), and an object of pagy"
    end
  end
end
