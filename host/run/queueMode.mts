import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';

import { startN8n, startQueueProcess, type QueueProcess, type RunningN8n } from './n8n.mts';
import { PATIENCE_MS, waitUntil } from './patience.mts';
import { freePort } from './ports.mts';

/**
 * n8n in queue mode: a main process, two webhook processes and workers, with their own Redis
 * and PostgreSQL.
 */
export interface QueueMode {
	n8n: RunningN8n;
	stop(): Promise<void>;
}

/** The command that installs what queue mode lacks on this machine; undefined if nothing. */
export function queueModeInstallHint(): string | undefined {
	const missing = [
		redisProgram() === undefined ? 'redis-server' : '',
		postgresFolder() === undefined ? 'postgresql' : '',
	].filter((name) => name !== '');
	return missing.length === 0 ? undefined : `sudo apt-get install ${missing.join(' ')}`;
}

function redisProgram(): string | undefined {
	return ['/usr/bin/redis-server', '/usr/local/bin/redis-server'].find((file) => existsSync(file));
}

/** Debian keeps PostgreSQL's programs in a folder for each version. */
function postgresFolder(): string | undefined {
	const root = '/usr/lib/postgresql';
	if (!existsSync(root)) return undefined;
	return readdirSync(root)
		.map((version) => join(root, version, 'bin'))
		.find((folder) => existsSync(join(folder, 'initdb')));
}

/** The start of a command for PostgreSQL, which refuses to run as root. */
const notAsRoot = (): string[] =>
	process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : [];

function startProgram(command: string[], cwd: string): ChildProcess {
	return spawn(command[0], command.slice(1), { cwd, stdio: 'ignore' });
}

async function isListening(port: number): Promise<boolean> {
	const socket = connect(port, '127.0.0.1');
	const open = await new Promise<boolean>((resolve) =>
		socket.once('connect', () => resolve(true)).once('error', () => resolve(false)),
	);
	socket.destroy();
	return open;
}

async function startPostgres(folder: string): Promise<{ port: number; stop(): void }> {
	const programs = postgresFolder();
	if (programs === undefined)
		throw new Error(`PostgreSQL isn't installed: ${queueModeInstallHint()}`);
	const data = join(folder, 'data');
	mkdirSync(data, { recursive: true });
	if (notAsRoot().length > 0) execFileSync('chown', ['-R', 'postgres', folder]);
	const run = (...command: string[]) =>
		execFileSync([...notAsRoot(), ...command][0], [...notAsRoot(), ...command].slice(1), {
			cwd: folder,
			stdio: 'ignore',
		});
	run(join(programs, 'initdb'), '-D', data, '-U', 'n8n', '--auth', 'trust', '--no-sync');
	const port = await freePort();
	startProgram(
		[
			...notAsRoot(),
			join(programs, 'postgres'),
			'-D',
			data,
			'-p',
			String(port),
			'-c',
			'listen_addresses=127.0.0.1',
			'-c',
			`unix_socket_directories=${folder}`,
			'-c',
			'fsync=off',
			'-c',
			'max_connections=300',
		],
		folder,
	);
	const address = ['-h', '127.0.0.1', '-p', String(port), '-U', 'n8n'];
	// It listens a moment before it accepts connections.
	const isReady = () => {
		try {
			run(join(programs, 'pg_isready'), ...address);
			return true;
		} catch {
			return false;
		}
	};
	await waitUntil(isReady, () => "PostgreSQL isn't ready");
	run(join(programs, 'createdb'), ...address, 'n8n');
	const patience = ['-t', String(PATIENCE_MS / 1000)];
	const stop = () => run(join(programs, 'pg_ctl'), 'stop', '-D', data, '-m', 'fast', ...patience);
	return { port, stop };
}

/** Hands calls to the webhook processes in turn, as a load balancer does. */
async function startLoadBalancer(
	targets: () => QueueProcess[],
): Promise<{ url: string; server: Server }> {
	let next = 0;
	const server = createServer((incoming, outgoing) => {
		const list = targets();
		const target = list[next++ % list.length];
		const forwarded = request(
			new URL(incoming.url ?? '/', target.url),
			{ method: incoming.method, headers: incoming.headers },
			(answer) => {
				outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
				answer.pipe(outgoing);
			},
		);
		forwarded.once('error', () => outgoing.writeHead(502).end());
		incoming.pipe(forwarded);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

/** Starts n8n in queue mode. All its files are in `folder`. */
export async function startQueueMode(
	folder: string,
	tarball: string,
	{ workers: workerCount = 2 }: { workers?: number } = {},
): Promise<QueueMode> {
	// PostgreSQL's user needs to reach its own folder inside.
	chmodSync(folder, 0o755);
	const redisPort = await freePort();
	const redis = startProgram(
		[
			redisProgram()!,
			'--port',
			String(redisPort),
			'--bind',
			'127.0.0.1',
			'--save',
			'',
			'--appendonly',
			'no',
		],
		folder,
	);
	const postgres = await startPostgres(join(folder, 'postgres'));
	await waitUntil(
		async () => await isListening(redisPort),
		() => "Redis isn't ready",
	);
	const webhooks: QueueProcess[] = [];
	const balancer = await startLoadBalancer(() => webhooks);
	const userFolder = join(folder, 'n8n');
	const env = {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redisPort),
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_USER: 'n8n',
		DB_POSTGRESDB_DATABASE: 'n8n',
		// n8n's two connections for each process, and 20 seconds to wait for one, are too few for
		// hundreds of events on a busy machine: executions then fail without having run.
		DB_POSTGRESDB_POOL_SIZE: '15',
		DB_POSTGRESDB_CONNECTION_TIMEOUT: String(PATIENCE_MS),
		N8N_ENCRYPTION_KEY: 'only-for-tests-in-queue-mode',
		// The processes don't share a file system.
		N8N_DEFAULT_BINARY_DATA_MODE: 'database',
		N8N_LOG_LEVEL: 'warn',
	};
	const options = { userFolder, env, webhookUrl: balancer.url };
	const n8n = await startN8n({ ...options, tarball });
	const [first, second, ...workers] = await Promise.all(
		(['webhook', 'webhook', ...new Array<'worker'>(workerCount).fill('worker')] as const).map(
			async (command) => await startQueueProcess(command, options),
		),
	);
	webhooks.push(first, second);
	return {
		n8n,
		stop: async () => {
			await Promise.all([...webhooks, ...workers].map(async (child) => await child.stop()));
			await n8n.stop();
			balancer.server.closeAllConnections();
			balancer.server.close();
			postgres.stop();
			if (redis.kill()) await once(redis, 'exit');
		},
	};
}
