import { Refusal } from './refusal.mts';

/** Where a file comes from: a URL that the service fetches, or base64 (interface.md §4, Add Document). */
export async function fetchPdf(resource: string): Promise<Buffer> {
	if (!/^https?:\/\//i.test(resource)) {
		if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(resource)) throw new Refusal(422, 'resource is neither a URL nor base64');
		return Buffer.from(resource, 'base64');
	}
	try {
		const answer = await fetch(resource, { signal: AbortSignal.timeout(10_000) });
		if (!answer.ok) throw new Refusal(422, `resource could not be fetched: status ${answer.status}`);
		return Buffer.from(await answer.arrayBuffer());
	} catch (thrown) {
		if (thrown instanceof Refusal) throw thrown;
		throw new Refusal(422, 'resource could not be fetched');
	}
}
