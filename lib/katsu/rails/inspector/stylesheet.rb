# frozen_string_literal: true

module Katsu
  module Rails
    module Inspector
      # Light and dark as the reader's system is, from the width of a phone on.
      STYLESHEET = <<~CSS
        :root {
          color-scheme: light dark;
          --paper: #fbfaf8; --card: #ffffff; --ink: #1f1d1a; --soft: #625d55; --line: #e3ded6; --accent: #9a3412;
          --good: #166534; --good-paper: #e3f3e6; --slow: #8a4b08; --slow-paper: #fcefdc; --bad: #a31526;
          --bad-paper: #fde8ea; --plain-paper: #efebe4;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #17161a; --card: #201f24; --ink: #ece9e4; --soft: #a8a29a; --line: #37343b; --accent: #f2a36b;
            --good: #8fdaa0; --good-paper: #1c3324; --slow: #f0c380; --slow-paper: #3a2c17; --bad: #ffa3ac;
            --bad-paper: #411b21; --plain-paper: #2d2b31;
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink);
          font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere;
        }
        a { color: var(--accent); text-underline-offset: 0.2em; }
        a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
        h1 { margin: 0.25rem 0 0.5rem; font-size: 1.75rem; line-height: 1.2; letter-spacing: -0.01em; }
        h2 { margin: 2.25rem 0 0.5rem; font-size: 1.15rem; }
        p { margin: 0.4rem 0; }
        .soft { color: var(--soft); }
        code, pre, .path { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.86em; }
        pre {
          margin: 0.5rem 0; padding: 0.9rem 1rem; background: var(--card); border: 1px solid var(--line);
          border-radius: 8px; white-space: pre-wrap; max-height: 32rem; overflow: auto;
        }
        table { width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); }
        th, td { padding: 0.5rem 0.75rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
        th { color: var(--soft); font-size: 0.8rem; font-weight: 600; }
        td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
        .tag {
          display: inline-block; padding: 0 0.5em; border-radius: 99px; font-size: 0.8rem; white-space: nowrap;
          background: var(--plain-paper); color: var(--ink);
        }
        .good { background: var(--good-paper); color: var(--good); }
        .slow { background: var(--slow-paper); color: var(--slow); }
        .bad { background: var(--bad-paper); color: var(--bad); }
        .note { padding: 0.6rem 0.9rem; border-radius: 8px; }
        nav.views { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0.75rem 0; padding: 0; }
        nav.views a { padding: 0.15rem 0.75rem; border: 1px solid var(--line); border-radius: 99px; }
        nav.views a[aria-current] { background: var(--accent); border-color: var(--accent); color: var(--paper); }
        meter { width: 100%; min-width: 4rem; height: 0.9rem; }
        @media (max-width: 40rem) {
          body { padding: 1rem 0.75rem 3rem; }
          thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
          tr { display: block; padding: 0.5rem 0; border-top: 1px solid var(--line); }
          td, td.number { display: block; padding: 0.1rem 0.75rem; border: 0; text-align: left; }
          td[data-label]::before { content: attr(data-label) " "; color: var(--soft); font-size: 0.8rem; }
          td:empty { display: none; }
        }
      CSS
    end
  end
end
