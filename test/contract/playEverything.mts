import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { LoggedRequest } from '../../sandbox/http/requestLog.mts';
import type { Sandbox } from '../../sandbox/index.mts';
import { credentialFor, runNode } from '../support/engine.mts';
import { FIXTURES } from '../support/matrix/index.mts';

/** One run of an operation. */
export interface PlayedRun {
	/** resource/value */
	operation: string;
	/** What it asked the service. */
	requests: LoggedRequest[];
	/** Its raw output. */
	output: IDataObject[];
}

/**
 * Runs every operation with each of its fields filled in, the way a person would in the editor:
 * what the interface has can be set, and it arrives. An operation whose fixture has no `everyField`
 * is run as in the matrix.
 */
export async function playEverything(
	sandbox: Sandbox,
	credential: IDataObject = {},
): Promise<PlayedRun[]> {
	const played: PlayedRun[] = [];
	for (const [name, { build, everyField }] of Object.entries(FIXTURES)) {
		const [resource, operation] = name.split('/');
		const run = async (parameters: IDataObject, items?: INodeExecutionData[]) => {
			const before = sandbox.requests.length;
			const outcome = await runNode({
				credential: credentialFor(sandbox.url, credential as never),
				parameters: { ...parameters, resource, operation, simplify: false, output: 'raw' },
				items,
			});
			if (outcome.error)
				throw new Error(`${name}: ${outcome.error.message}. ${outcome.error.description}`);
			const output = outcome.items.map(({ json }) => json);
			played.push({ operation: name, requests: sandbox.requests.slice(before), output });
			return output[0] ?? {};
		};
		if (everyField !== undefined) await everyField(sandbox, run);
		else {
			const { parameters, items } = await build(sandbox);
			await run(parameters, items);
		}
	}
	return played;
}
