import { ENDPOINTS } from '../../../nodes/SignAndClose/transport/service/endpoints.ts';
import { operations } from '../../../nodes/SignAndClose/resources/index.ts';
import { LAYOUTS } from '../../../nodes/SignAndClose/transport/service/paths.ts';
import { forEachCase } from '../../support/forEachCase.mts';
import {
	expectCleanPrototype,
	expectPlainRun,
	expectUsualPrototypes,
	HOSTILE_IDS,
	oddValues,
	TEN_MEGABYTES,
} from '../../support/hostile/index.mts';
import { ATTACK, useScene } from '../../support/hostile/scene.mts';
import { startSmallService } from '../../support/smallService.mts';

/** Hostile IDs in every locator, and odd values in every parameter, of every operation. */

/** The paths of all endpoints, with their prefixes; an ID is one segment. */
const PATHS = Object.values(ENDPOINTS).flatMap((endpoint) =>
	[endpoint.path, endpoint.realEstatePath ?? endpoint.path].flatMap((path) =>
		[...new Set(Object.values(LAYOUTS.documented))].map(
			(prefix) => new RegExp(`^${prefix}${path.replace(/\{\w+\}/g, '([^/?#;@\\\\]+)')}$`),
		),
	),
);
const HEADERS =
	/^(accept|accept-encoding|apikey|connection|content-length|content-type|host|user-agent|transfer-encoding)$/;
/** What JavaScript makes of odd values when it has to make text of them. */
const NO_TEXT = /\[object |\bNaN\b|Infinity|Symbol\(|"(null|undefined)"|Invalid Date/;
/** Leaves out files in base64, in which any letters can be. */
const short = (_name: string, value: unknown) =>
	typeof value === 'string' && value.length > 500 ? '' : value;

function decoded(id: string): string {
	try {
		return decodeURIComponent(id);
	} catch {
		return id;
	}
}

const OPERATIONS = operations.map(({ resource, value, properties }) => ({
	name: `${resource}/${value}`,
	properties,
}));

describe.each(OPERATIONS)('$name', ({ name, properties }) => {
	const own = useScene(name);
	beforeEach(() => void (own.sandbox.requests.length = 0));
	const namesOf = (type?: string) => [
		...new Set(properties.filter((one) => !type || one.type === type).map((one) => one.name)),
	];
	// The template is shown for another source of the document only, where its value is looked up.
	const locators = namesOf('resourceLocator').filter((locator) => locator !== 'templateId');

	const eachLocator = (title: string, work: (locator: string) => Promise<void>) => {
		for (const locator of locators) test(`${locator}: ${title}`, async () => await work(locator));
	};
	const attack = async (locator: string, mode: string, ids: string[]) =>
		await own.run({ [locator]: { __rl: true, mode, value: ATTACK } }, ids);
	/** Expects of every request so far that each ID is one of these, encoded as one segment. */
	function expectInTheirPlace(ids: string[]): void {
		const known = new Set(ids.map((id) => id.trim()));
		forEachCase(own.sandbox.requests, ({ path, headers }) => {
			const found = PATHS.map((pattern) => pattern.exec(path)).find((match) => match !== null);
			expect({ path, known: found !== undefined }).toEqual({ path, known: true });
			forEachCase(found!.slice(1), (segment) => {
				const id = decodeURIComponent(segment);
				expect(encodeURIComponent(id)).toBe(segment);
				if (!/^[a-z]{2}_?\w+$/i.test(id)) expect(known).toContain(id);
			});
			forEachCase(Object.keys(headers), (header) => expect(header).toMatch(HEADERS));
		});
	}
	const modes = name === 'transaction/get' ? ['id', 'list', 'url'] : ['id'];

	eachLocator('an ID stays in its place, whatever it holds', async (locator) => {
		const ids = Object.values(HOSTILE_IDS);
		await forEachCase(modes, async (mode) => {
			const outcome = await attack(locator, mode, ids);
			expect(outcome.error).toBeUndefined();
			expectPlainRun(outcome);
		});
		expectInTheirPlace(ids);
	});
	eachLocator('one in a link, too, whose host is not asked', async (locator) => {
		await using other = await startSmallService(() => ({ body: {} }));
		const ids = Object.values(HOSTILE_IDS).slice(0, 12);
		const links = ids.map((id) => `${other.url}/transactions/${id}`);
		expectPlainRun(await attack(locator, 'url', links));
		const inLinks = links.map((link) => link.split(/[/?#]/)[4]);
		expectInTheirPlace([...links, ...inLinks, ...inLinks.map(decoded)]);
		expect(other.asked).toEqual([]);
	});
	eachLocator('one of 10 MB is refused before anything is sent', async (locator) => {
		const [item] = (await attack(locator, 'id', [TEN_MEGABYTES])).items;
		expect(item.json.error).toMatch(/^'.+' has 10485760 characters, which isn't an ID\. .{10,80}$/);
		expect(own.sandbox.requests).toEqual([]);
	});
	test.each(namesOf())(
		'%s: an odd value is used as what it means, or refused',
		async (parameter) => {
			// n8n asks for them while it can't know that they aren't shown.
			const fields = { fileUrl: 'https://files.example.com/a.pdf', fileBase64: 'JVBERi0xLjcK' };
			const outcome = await own.run(
				{ ...fields, ...own.scene.parameters, [parameter]: ATTACK },
				Object.values(oddValues()),
				{ limits: { readMs: 3_000, writeMs: 3_000 } },
			);
			expectPlainRun(outcome);
			for (const { json } of outcome.items) expectUsualPrototypes(json);
			forEachCase(own.sandbox.requests, ({ body, query, path }) =>
				expect(JSON.stringify({ body, query, path }, short)).not.toMatch(NO_TEXT),
			);
			expectCleanPrototype();
		},
	);
});
