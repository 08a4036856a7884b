/** Shapes that n8n's internal REST interface takes and answers, as far as they are read here. */

export interface WorkflowNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id?: string | null; name: string }>;
	webhookId?: string;
	[other: string]: unknown;
}

export interface WorkflowJson {
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
	pinData?: Record<string, unknown>;
}

export interface StoredWorkflow extends WorkflowJson {
	id: string;
	versionId: string;
	active: boolean;
	activeVersionId?: string | null;
}

/** A stored credential, as a node refers to it. */
export interface CredentialReference {
	id: string;
	name: string;
}

export interface ExecutionSummary {
	id: string;
	status: 'new' | 'running' | 'success' | 'error' | 'crashed' | 'canceled' | 'waiting' | 'unknown';
	mode: string;
	workflowId: string;
	startedAt?: string;
	stoppedAt?: string;
}

export interface Item {
	json: Record<string, unknown>;
	binary?: Record<
		string,
		{
			id?: string;
			data: string;
			fileName?: string;
			mimeType: string;
			fileSize?: string;
			bytes?: number;
		}
	>;
	pairedItem?: unknown;
	error?: unknown;
}

/** One run of one node. */
interface NodeRun {
	executionStatus?: string;
	executionTime?: number;
	startTime?: number;
	error?: { message: string; description?: string; httpCode?: string; [other: string]: unknown };
	data?: Record<string, Array<Item[] | null>>;
	[other: string]: unknown;
}

export interface ExecutionData {
	resultData: {
		runData: Record<string, NodeRun[]>;
		error?: { message: string; description?: string; node?: { name: string } };
		lastNodeExecuted?: string;
	};
	waitTill?: string;
	[other: string]: unknown;
}

export interface Execution extends ExecutionSummary {
	finished: boolean;
	data: ExecutionData;
	waitTill?: string | null;
}

export interface InstalledPackage {
	packageName: string;
	installedVersion: string;
	installedNodes: Array<{ name: string; type: string; latestVersion: number }>;
	failedLoading?: boolean;
	updateAvailable?: string;
}
