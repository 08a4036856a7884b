import type { Sandbox } from '../../sandbox/index.mts';
import { waitUntil } from '../run/patience.mts';

/** What a sandbox needs to be called: a running `Sandbox`, or one in another process. */
type SandboxAccess = Pick<Sandbox, 'url' | 'keys'>;

interface Processed {
	processing_state: string;
}

/** The data of a credential for a sandbox. */
export function sandboxCredential(sandbox: SandboxAccess): Record<string, string> {
	return {
		baseUrl: sandbox.url,
		apiKey: sandbox.keys.full,
		organizationId: '',
		pathLayout: 'documented',
		assuranceField: 'assurance_requirement',
		webhookSignatureHeader: 'X-Signature',
		webhookSigningSecret: '',
	};
}

/**
 * Creates a draft closing without n8n, as another client of the service would.
 * @param fields override or add fields of the transaction
 * @returns its ID
 */
export async function createDraftClosing(
	{ url, keys }: SandboxAccess,
	fields: object = {},
): Promise<string> {
	const body = {
		transaction_type: 'refinance',
		// Several signers come in `signers` alone.
		...(!('signers' in fields) && { signer: { email: 'jane@example.com' } }),
		street_address: { line1: '1 Main St', city: 'Boston', state: 'MA', postal: '02110' },
		...fields,
	};
	const created = await call({ url, keys }, 'POST', '/mortgage/v1/transactions', body);
	return (created as { id: string }).id;
}

/** Creates a draft closing that has all it needs to be sent. @returns its ID */
export async function createReadyClosing(
	sandbox: SandboxAccess,
	fields: object = {},
): Promise<string> {
	const resource = `${sandbox.url}/samples/deed-of-trust-tagged.pdf`;
	const id = await createDraftClosing(sandbox, {
		title_agency_id: 'or_agency_harbor',
		paper_note_consent: true,
		documents: [{ resource, requirement: 'notarization', text_tag_syntax: 'standard' }],
		...fields,
	});
	const isProcessed = async () => {
		const { documents } = (await call(sandbox, 'GET', path(id))) as { documents: Processed[] };
		return documents.every(({ processing_state: state }) => state === 'done');
	};
	await waitUntil(isProcessed, () => `The documents of ${id} aren't processed`);
	return id;
}

/** Creates a closing with a document and orders it. @returns its ID */
export async function createSentClosing(
	sandbox: SandboxAccess,
	fields: object = {},
): Promise<string> {
	const id = await createReadyClosing(sandbox, fields);
	await call(sandbox, 'POST', `${path(id)}/place_order`, {});
	return id;
}

const path = (id: string) => `/mortgage/v2/transactions/${id}`;

async function call({ url, keys }: SandboxAccess, method: string, path: string, body?: object) {
	const response = await fetch(url + path, {
		method,
		headers: { ApiKey: keys.full, ...(body && { 'content-type': 'application/json' }) },
		...(body && { body: JSON.stringify(body) }),
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`The sandbox refused ${method} ${path}: ${text}`);
	return text === '' ? undefined : (JSON.parse(text) as unknown);
}
