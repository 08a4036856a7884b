import type { IDataObject } from 'n8n-workflow';

import { credentialFor, keptAnswers, listContext, NODE } from './engine.mts';

/** The dropdowns of the action node, loaded as the editor loads them: each time in a new context. */

export interface Entry {
	name: string;
	value: string;
	description?: string;
}
interface Part {
	results: Entry[];
	paginationToken?: string;
}
interface Asked extends IDataObject {
	parameters?: IDataObject;
	filter?: string;
	token?: string;
}

/** @param asked what is chosen and searched for, and what is different in the credential */
export async function search(
	method: string,
	url: string,
	{ parameters = { platform: 'business' }, filter, token, ...more }: Asked = {},
): Promise<Part> {
	const methods = {
		...NODE.methods!.listSearch,
		...NODE.methods!.loadOptions,
	} as unknown as Record<string, (this: unknown, filter?: string, token?: string) => Promise<Part>>;
	const credential = credentialFor(url, more as never);
	return await methods[method].call(listContext({ credential, parameters }), filter, token);
}

/** The same, without what was kept of the answers to others. */
export async function searchAnew(...asked: Parameters<typeof search>): Promise<Part> {
	keptAnswers.clear();
	return await search(...asked);
}
