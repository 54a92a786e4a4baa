# frozen_string_literal: true

require_relative "support/http_test_case"
require_relative "support/browser"

# The page at /katsu of the application in development; in a browser, if there is one.
class InspectorOfApplicationTest < HttpTestCase
  SCHEMES = %w[light dark].freeze
  WIDTHS = [1280, 390].freeze
  PAGES = ["/katsu", "/katsu/PostSerializer?view=personal&times=1", "/katsu/None"].freeze

  # The least contrast of a text with what is behind it, and the text.
  CONTRAST = <<~JAVASCRIPT
    (() => {
      const parts = (color) => color.match(/[\\d.]+/g).map(Number);
      const light = (color) => {
        const linear = (v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
        const [r, g, b] = parts(color).map((v) => linear(v / 255));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const behind = (e) => {
        const color = getComputedStyle(e).backgroundColor;
        return parts(color)[3] === 0 && e.parentElement ? behind(e.parentElement) : color;
      };
      let least = [99, ""];
      for (const e of document.body.querySelectorAll("*")) {
        if (e.tagName === "METER" || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
        const [a, b] = [light(getComputedStyle(e).color), light(behind(e))];
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (contrast < least[0]) least = [contrast, e.outerHTML.slice(0, 80)];
      }
      return least;
    })()
  JAVASCRIPT

  def server = Server.of("development")

  def test_serializers_are_found_that_nothing_loaded_yet
    answer = get("/katsu")
    assert_equal [200, "text/html; charset=utf-8"], [answer.status, answer.headers["content-type"]]
    names = answer.body.scan(%r{href="/katsu/(\w+)"}).flatten
    assert_equal %w[Author Comment Failing Greeting Post Slow Tag].map { |name| "#{name}Serializer" }, names
    assert_includes get("/katsu/TagSerializer").body, "app/serializers/tag_serializer.rb:"
  end

  def test_production_has_no_page
    assert_equal 404, Net::HTTP.get_response(URI("http://127.0.0.1:#{Server.of("production").port}/katsu")).code.to_i
  end

  def test_in_a_browser
    skip "Chromium is not installed" unless Browser::PATH
    skip "the page is the same on both backends" unless native?

    Browser.open do |browser|
      PAGES.product(WIDTHS, SCHEMES) { |path, width, scheme| look(browser, path, width, scheme) }
    end
  end

  private

  def look(browser, path, width, scheme)
    url = "http://127.0.0.1:#{server.port}#{path}"
    browser.visit(url, width: width, scheme: scheme)
    take_picture(browser, path, width, scheme)
    place = [path, width, scheme].inspect
    assert_equal [url], browser.requests.reject { |one| one.end_with?("/favicon.ico") }, place
    assert_empty browser.complaints.reject { |one| one.to_s.include?("status of 404") }, place
    assert_operator browser.evaluate("document.documentElement.scrollWidth"), :<=, width, place
    contrast, text = browser.evaluate(CONTRAST)
    assert_operator contrast, :>=, 4.5, [*place, text]
    ground = browser.evaluate("getComputedStyle(document.body).backgroundColor").scan(/\d+/).map(&:to_i)
    assert_equal scheme == "dark", ground.sum < 380, place
  end

  # KATSU_PICTURES=folder keeps them.
  def take_picture(browser, path, width, scheme)
    folder = ENV.fetch("KATSU_PICTURES", nil) or return
    browser.picture(File.join(folder, "#{path.gsub(/\W+/, "-")}-#{width}-#{scheme}.png"))
  end
end
