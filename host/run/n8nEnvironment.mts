import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { NODE_BINARY, RUN_DIR } from '../../scripts/runtime.mjs';
import { FAKE_NPM_FOLDER, N8N_MODULES_FOLDER } from './folders.mts';
import { installerEnvironment } from './installPackage.mts';
import { freePort } from './ports.mts';

/** What decides how an n8n process is set up. */
export interface N8nOptions {
	/** Holds n8n's database, encryption key and installed packages. May exist already. */
	userFolder: string;
	/** A free one when left out. */
	port?: number;
	/** The file that `npm pack` wrote. Nothing is installed when left out. */
	tarball?: string;
	/** Serves the editor, too. A start takes half as long again with it. */
	editor?: boolean;
	/** The folders, joined with `;`, that workflows may use. The user folder's `archive` if left out. */
	filesFolder?: string;
	/** Overrides or adds variables; undefined removes one. */
	env?: Record<string, string | undefined>;
	/** The URL under which the service reaches webhooks. n8n's own when left out. */
	webhookUrl?: string;
	/** Cancels a start that is under way. */
	signal?: AbortSignal;
}

/** The variables of n8n that must not come from the calling shell. */
const NOT_INHERITED = /^(N8N_|DB_|EXECUTIONS_|QUEUE_|WEBHOOK_URL|NODE_OPTIONS|NODE_ENV|JEST_)/;

const MCP_REGISTRY = 'mcp-registry';

/** Everything that n8n would fetch from outside, or send there. */
const OFFLINE = {
	// The catalog of verified packages.
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	// Fetches a list of servers at every start. n8n 1 has no such module, and refuses its name.
	N8N_DISABLED_MODULES: existsSync(join(N8N_MODULES_FOLDER, MCP_REGISTRY)) ? MCP_REGISTRY : '',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_AI_ENABLED: 'false',
};

/** Today's defaults. n8n warns that they will change unless they are set. */
const FIXED_DEFAULTS = {
	N8N_RUNNERS_TASK_TIMEOUT: '300',
	N8N_COMPRESSION_NODE_MAX_DECOMPRESSED_SIZE_BYTES: String(2 * 1024 ** 3),
	N8N_COMPRESSION_NODE_MAX_ZIP_ENTRIES: '5000',
};

/** The environment of an n8n process that listens on `url`. */
export async function n8nEnvironment(
	options: N8nOptions,
	port: number,
	url: string,
): Promise<Record<string, string>> {
	const archive = join(options.userFolder, 'archive');
	mkdirSync(archive, { recursive: true });
	// A database or a queue of the calling shell must not turn this n8n into another one.
	const inherited = Object.fromEntries(
		Object.entries(process.env).filter(([name]) => !NOT_INHERITED.test(name)),
	);
	const variables: Record<string, string | undefined> = {
		...inherited,
		NODE_ENV: 'production',
		PATH: [FAKE_NPM_FOLDER, dirname(NODE_BINARY), process.env.PATH ?? ''].join(delimiter),
		...(options.tarball === undefined ? {} : installerEnvironment(options.tarball)),
		N8N_USER_FOLDER: options.userFolder,
		N8N_HOST: '127.0.0.1',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_EDITOR_BASE_URL: `${url}/`,
		N8N_WEBHOOK_URL: options.webhookUrl ?? `${url}/`,
		N8N_DISABLE_UI: String(options.editor !== true),
		N8N_SECURE_COOKIE: 'false',
		// The default, 5679, would clash with any other n8n on this machine.
		N8N_RUNNERS_BROKER_PORT: String(await portBeside(port)),
		N8N_PYTHON_ENABLED: 'false',
		N8N_COMMUNITY_PACKAGES_ENABLED: 'true',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_RESTRICT_FILE_ACCESS_TO: options.filesFolder ?? archive,
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'all',
		EXECUTIONS_DATA_SAVE_ON_ERROR: 'all',
		EXECUTIONS_DATA_SAVE_MANUAL_EXECUTIONS: 'true',
		...OFFLINE,
		...FIXED_DEFAULTS,
		N8N_LOG_LEVEL: 'info',
		// n8n is thousands of files: what Node.js has compiled of them serves the next start, too.
		NODE_COMPILE_CACHE: join(RUN_DIR, 'compiled'),
		NO_COLOR: '1',
		...options.env,
	};
	return Object.fromEntries(
		Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined),
	);
}

/** A free port that isn't n8n's own, which is free, too, as long as n8n isn't started. */
async function portBeside(own: number): Promise<number> {
	const port = await freePort();
	return port === own ? await portBeside(own) : port;
}
