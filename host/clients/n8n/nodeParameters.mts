import { PACKAGE_NAME } from './names.mts';
import type { Session } from './session.mts';
import type { CredentialReference } from './types.mts';

interface ListRequest {
	/** The node type's name without the package's prefix. */
	node: string;
	/** The list search method that fills the list. */
	method: string;
	/** The parameter's name. */
	path: string;
	parameters: Record<string, unknown>;
	credentials: Record<string, CredentialReference>;
}

/** Parameters whose choices come from the service. */
export class NodeParameters {
	readonly #session: Session;

	constructor(session: Session) {
		this.#session = session;
	}

	/** The choices that a resource locator shows in its mode "From List". */
	async searchList(
		request: ListRequest,
	): Promise<{ results: Array<{ name: string; value: unknown; url?: string }> }> {
		return await this.#session.send(
			'POST',
			'/rest/dynamic-node-parameters/resource-locator-results',
			{
				path: `parameters.${request.path}`,
				nodeTypeAndVersion: { name: `${PACKAGE_NAME}.${request.node}`, version: 1 },
				currentNodeParameters: request.parameters,
				methodName: request.method,
				credentials: request.credentials,
			},
		);
	}
}
