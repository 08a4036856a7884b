import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { ENDPOINTS } from '../../../nodes/SignAndClose/transport/service/endpoints.ts';
import { operations } from '../../../nodes/SignAndClose/resources/index.ts';
import { LAYOUTS } from '../../../nodes/SignAndClose/transport/service/paths.ts';
import { credentialFor, runNode, useBinaryMode } from '../../support/engine.mts';
import { expectPlainRun, HOSTILE_IDS, TEN_MEGABYTES } from '../../support/hostile/index.mts';
import { FIXTURES, type Scene } from '../../support/matrix/index.mts';
import { startSmallService } from '../../support/smallService.mts';

/**
 * Hostile IDs in every locator of every operation: what leaves has the path of an endpoint with one
 * encoded segment in the place of each ID, and no header of the attacker's.
 */

/** The paths of all endpoints, with their prefixes; an ID is one segment. */
const PATHS = Object.values(ENDPOINTS).flatMap((endpoint) =>
	[endpoint.path, endpoint.realEstatePath ?? endpoint.path].flatMap((path) =>
		[...new Set(Object.values(LAYOUTS.documented))].map(
			(prefix) => new RegExp(`^${prefix}${path.replace(/\{\w+\}/g, '([^/?#;@\\\\]+)')}$`),
		),
	),
);
const HEADERS = new Set(
	'accept accept-encoding apikey connection content-length content-type host user-agent transfer-encoding'.split(
		' ',
	),
);

let sandbox: Sandbox;
let scene: Scene;
beforeAll(async () => await useBinaryMode('filesystem'));

/** Every locator of every operation. */
const LOCATORS = operations.flatMap(({ resource, value, properties }) =>
	[...new Set(properties.filter(({ type }) => type === 'resourceLocator').map(({ name }) => name))]
		// Shown for another source of the document only, where its value is looked up in a list.
		.filter((locator) => locator !== 'templateId')
		.map((locator) => [`${resource}/${value}`, locator] as const),
);

/** Runs an operation with these IDs in one of its locators, an item for each. */
async function attack(name: string, locator: string, mode: string, ids: string[]) {
	const [resource, operation] = name.split('/');
	const [item] = scene.items;
	return await runNode({
		credential: credentialFor(sandbox.url),
		parameters: {
			...scene.parameters,
			resource,
			operation,
			[locator]: { __rl: true, mode, value: '={{ $json.attack }}' },
		},
		items: ids.map((attack) => ({ ...item, json: { ...item.json, attack } })),
		node: { onError: 'continueRegularOutput' },
	});
}

/** Expects of every request so far that each ID is one of these, encoded as one segment. */
function expectInTheirPlace(ids: string[]): void {
	const known = new Set(ids.map((id) => id.trim()));
	for (const { path, headers } of sandbox.requests) {
		const found = PATHS.map((pattern) => pattern.exec(path)).filter((match) => match !== null);
		expect({ path, known: found.length > 0 }).toEqual({ path, known: true });
		for (const segment of found[0].slice(1)) {
			const id = decodeURIComponent(segment);
			expect(encodeURIComponent(id)).toBe(segment);
			if (!/^[a-z]{2}_?\w+$/i.test(id)) expect(known).toContain(id);
		}
		expect(Object.keys(headers).filter((header) => !HEADERS.has(header))).toEqual([]);
	}
}

describe.each(LOCATORS)('%s, %s', (name, locator) => {
	beforeAll(async () => {
		sandbox = await startSandbox({ processingMs: 0 });
		scene = await FIXTURES[name].build(sandbox);
	});
	beforeEach(() => void (sandbox.requests.length = 0));
	afterAll(async () => await sandbox.close());

	test.each(name === 'transaction/get' ? ['id', 'list', 'url'] : ['id'])(
		'an ID stays in its place, whatever it holds, in the mode %s',
		async (mode) => {
			const ids = Object.values(HOSTILE_IDS);
			const outcome = await attack(name, locator, mode, ids);
			expect(outcome.error).toBeUndefined();
			expectPlainRun(outcome);
			expectInTheirPlace(ids);
		},
	);
	test('an ID in a link of another host stays in its place, and the host is not asked', async () => {
		await using other = await startSmallService(() => ({ body: {} }));
		const links = Object.values(HOSTILE_IDS)
			.slice(0, 12)
			.map((id) => `${other.url}/transactions/${id}`);
		expectPlainRun(await attack(name, locator, 'url', links));
		const inLinks = links.map((link) => link.split(/[/?#]/)[4]);
		expectInTheirPlace([...links, ...inLinks, ...inLinks.map(decoded)]);
		expect(other.asked).toEqual([]);
	});
	test('an ID of 10 MB is refused before anything is sent, and not repeated', async () => {
		const [item] = (await attack(name, locator, 'id', [TEN_MEGABYTES])).items;
		expect(item.json.error).toMatch(/^'.+' has 10485760 characters, which isn't an ID\. .{10,80}$/);
		expect(sandbox.requests).toEqual([]);
	});
});

function decoded(id: string): string {
	try {
		return decodeURIComponent(id);
	} catch {
		return id;
	}
}
