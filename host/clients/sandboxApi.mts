import type { Sandbox } from '../../sandbox/index.mts';

/** What a sandbox needs to be called: a running `Sandbox`, or one in another process. */
type SandboxAccess = Pick<Sandbox, 'url' | 'keys'>;

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
	const response = await fetch(`${url}/mortgage/v1/transactions`, {
		method: 'POST',
		headers: { ApiKey: keys.full, 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	if (!response.ok) throw new Error(`The sandbox refused a closing: ${await response.text()}`);
	return ((await response.json()) as { id: string }).id;
}
