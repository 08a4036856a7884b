import { Credentials } from './credentials.mts';
import { Executions } from './executions.mts';
import { NodeParameters } from './nodeParameters.mts';
import { Packages } from './packages.mts';
import { Session } from './session.mts';
import { Workflows } from './workflows.mts';

/** What a person does in the editor, as calls by subject. */
export class N8nClient {
	/** For calls that no subject below has. */
	readonly session: Session;
	readonly packages: Packages;
	readonly credentials: Credentials;
	readonly workflows: Workflows;
	readonly executions: Executions;
	readonly nodeParameters: NodeParameters;

	constructor(url: string) {
		this.session = new Session(url);
		this.packages = new Packages(this.session);
		this.credentials = new Credentials(this.session);
		this.workflows = new Workflows(this.session);
		this.executions = new Executions(this.session, this.workflows);
		this.nodeParameters = new NodeParameters(this.session);
	}
}
