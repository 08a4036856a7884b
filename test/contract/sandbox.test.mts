import { readFileSync } from 'node:fs';

import {
	ENDPOINT_LIST,
	interfaceWithoutStaleReasons,
	NODE_ENDPOINTS,
	unknownOperations,
	unlistedOperations,
	unusedReasons,
} from '../../scripts/generated/listedInterface.mts';
import { expectUpToDate } from '../support/expectUpToDate.mts';

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

test('the list gives no reason for doing without an endpoint that the node has', async () => {
	const { file, text } = await interfaceWithoutStaleReasons();
	expectUpToDate(readFileSync(file, 'utf8'), text);
});

test('each endpoint of the node stands once in the description, documented there if it is', () => {
	expect(
		NODE_ENDPOINTS.map(({ call }) => ({
			call,
			described: ENDPOINT_LIST.filter(({ node }) => node?.call === call).map(({ node, mark }) => [
				node?.name,
				mark === 'doc',
			]),
		})),
	).toEqual(
		NODE_ENDPOINTS.map(({ call, name, isDocumented }) => ({
			call,
			described: [[name, isDocumented]],
		})),
	);
});
