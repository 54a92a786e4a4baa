# frozen_string_literal: true

# Required before all else where instructions are counted: it moves what comes later.
#
# Some of what a call does depends on numbers that any line of code changes, in Katsu, in Rails or in the path of a
# folder: Symbols are numbered in the order in which they come up, and their numbers decide which keys of a Hash look
# alike at first sight and which share an entry of Katsu's table of keys; the addresses of classes decide that in
# Ruby's caches of methods, and the numbers of shapes in Katsu's. Such a meeting costs a row some percent. So a row is
# counted in several layouts, and the lowest count is the one without a meeting.
Array.new(Integer(ENV.fetch("KATSU_LAYOUT")) * 61) do |number|
  Class.new { attr_accessor :"katsu_layout_#{number}" }.new.public_send(:"katsu_layout_#{number}=", nil)
end.freeze.tap { |moved| KATSU_LAYOUT = moved }
