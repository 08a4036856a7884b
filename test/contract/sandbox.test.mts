import { expect, test } from '@jest/globals';

import {
	ENDPOINTS,
	type Endpoint,
	type Platform,
} from '../../nodes/SignAndClose/transport/service/endpoints.ts';
import {
	ENDPOINT_LIST,
	unknownOperations,
	unlistedOperations,
	unusedReasons,
} from '../support/listedInterface.mts';

/**
 * The endpoints and fields of the description have a home in the node and in the sandbox: the node
 * has a path for each, and the sandbox's answers carry what they should.
 */

test('of every endpoint of the description, the list says how the node uses it', () => {
	expect({
		missing: unlistedOperations(),
		unknown: unknownOperations(),
		withoutField: unusedReasons(),
	}).toEqual({ missing: [], unknown: [], withoutField: [] });
});

test('the node has a path for each endpoint on each platform with the same mark, or the list says how it does without', () => {
	const describeEntry = (name: string, ...rest: string[]) => `${name} (${rest.join(', ')})`;
	const listed = ENDPOINT_LIST.filter(({ node }) => node !== undefined).map(
		({ node, platform, method, mark }) => describeEntry(node!, platform, method, mark),
	);
	const present = Object.entries<Endpoint>(ENDPOINTS).flatMap(
		([name, { platforms, method, realEstateMethod }]) =>
			(Object.keys(platforms) as Platform[]).map((platform) =>
				describeEntry(
					name,
					platform,
					platform === 'realEstate' ? (realEstateMethod ?? method) : method,
					platforms[platform]!,
				),
			),
	);
	expect({
		notInInterfaceYaml: present
			.filter((entry) => !listed.includes(entry))
			.map(
				(entry) =>
					`endpoints.ts has ${entry}, but test/contract/interface.yaml doesn't: add it there with this mark, or correct endpoints.ts`,
			),
		notInEndpoints: listed
			.filter((entry) => !present.includes(entry))
			.map(
				(entry) =>
					`test/contract/interface.yaml has ${entry}, but endpoints.ts doesn't: add the platform with this mark there, or correct interface.yaml`,
			),
	}).toEqual({ notInInterfaceYaml: [], notInEndpoints: [] });
	// What is left is an endpoint that is listed twice.
	expect(present.sort()).toEqual(listed.sort());
	for (const { title, node, instead, link } of ENDPOINT_LIST)
		expect([title, [node, instead, link].filter(Boolean).length]).toEqual([title, 1]);
});
