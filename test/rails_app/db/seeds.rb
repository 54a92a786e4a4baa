# frozen_string_literal: true

authors = %w[Ada Ben Chloé].map { |name| Author.create!(name: name) }
tags = %w[ruby rails </script>].map { |name| Tag.create!(name: name) }

40.times do |i|
  post = Post.create!(
    author: authors[i % 4], title: "Post #{i} \"<é>\"\u2028", body: "body of #{i} " * 20, views: i * 1000,
    price: (BigDecimal(i) / 4 unless i == 3), draft: i.odd?, published_on: Date.new(2026, 1, 1) + i,
    data: [nil, {"a" => [1, 2.5, nil]}, [], "text"][i % 4], tags: tags.first(i % 4),
    created_at: Time.utc(2026, 2, 1, 12, 30, 15.125) + i, updated_at: Time.utc(2026, 3, 1) + i
  )
  (i % 3).times { |n| post.comments.create!(author: authors[n], body: "comment #{n} of #{i}") }
end
