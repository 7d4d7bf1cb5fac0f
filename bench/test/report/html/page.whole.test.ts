import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { renderPage } from '../../../src/report/html/page.ts';
import * as golden from '../golden-records.ts';
import { HOSTILE, hostile, pageOf } from './pages.ts';

const { bidder, board, cluster, curve, cutShort, frameworks, rate, tax } = golden;

const RECORDS = { frameworks, cutShort, cluster, rate, curve, tax, board, bidder };

describe.each(Object.entries(RECORDS))('the page of %s', (_, make) => {
  const page = renderPage([pageOf(make())]);

  test('names nothing that a browser would load', () => {
    expect(page).not.toMatch(/\b(?:src|action|srcset|data-src)=/);
    const linked = [...page.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    expect(linked.filter((href) => href !== 'data:,' && !href?.startsWith('#'))).toEqual([]);
    const urls = [...page.matchAll(/url\(([^)]*)\)/g)].map(([, url]) => url);
    expect(new Set(urls)).toEqual(new Set(['#hatch']));
  });

  test('has charts, each with a title, a description and its figures', () => {
    const figures = page.match(/<figure[\s\S]*?<\/figure>/g) ?? [];
    expect(figures.length).toBeGreaterThan(0);
    for (const figure of figures) {
      expect(figure).toMatch(/<h3>[^<]+<\/h3><p>[^<]+<\/p>/);
      expect(figure).toMatch(/<details class="figures">[\s\S]*<table>/);
      expect(figure).toContain('<svg');
      expect(figure).not.toMatch(/NaN|Infinity|undefined/);
    }
  });
});

test('its policy allows its own style and script, and nothing else', () => {
  const page = renderPage([pageOf(frameworks())]);
  const [, policy = ''] = page.match(/Content-Security-Policy" content="([^"]*)"/) ?? [];
  const hashOf = (element: string) => {
    const [, text = ''] = page.match(new RegExp(`<${element}>([\\s\\S]*?)</${element}>`)) ?? [];
    return `sha256-${hash('sha256', text, 'base64')}`;
  };
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`style-src '${hashOf('style')}'`);
  expect(policy).toContain(`script-src '${hashOf('script')}'`);
  expect(policy).not.toContain('unsafe');
  expect(page).not.toMatch(/<[^>]*\s(?:style|on\w+)=/);
});

test('texts that others wrote are nothing but text', () => {
  const page = renderPage([pageOf(hostile(cutShort()))]);
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page.match(/<style/g)).toHaveLength(1);
  expect(page).not.toMatch(/<img|<b>bold/);
  expect(page).toContain('&#60;script&#62;document.title = &#34;taken&#34;&#60;/script&#62;');
  expect(page).toContain(HOSTILE.long);
});

test('several records are on one page, each with its machine, and no two parts have one name', () => {
  const other = { ...frameworks(), suite: 'frameworks' };
  other.machine = { ...other.machine, cpuModel: 'Another CPU' };
  const page = renderPage([pageOf(frameworks()), pageOf(other)]);
  expect(page.match(/<article>/g)).toHaveLength(2);
  expect(page).toContain('Synthetic CPU');
  expect(page).toContain('Another CPU');
  const ids = [...page.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
