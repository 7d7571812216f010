import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { VARIABLES } from '../src/app/config/variables.ts';
import { TIMINGS } from '../src/core/timings.ts';

/**
 * What Kubernetes takes, as far as these files use it. Strict, since Kubernetes passes over a field that is misspelled, and with it
 * the protection that was meant.
 */
const labels = z.record(z.string(), z.string());
const chosen = z.strictObject({ matchLabels: labels });
const metadata = z.strictObject({ name: z.string(), labels: labels.optional() });
const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string(), port: z.string() }),
  periodSeconds: z.int(),
  timeoutSeconds: z.int(),
  failureThreshold: z.int().default(3),
});
const optional = z.strictObject({ name: z.string(), optional: z.literal(true) });
const amounts = z.strictObject({ cpu: z.string().optional(), memory: z.string() });
const container = z.strictObject({
  name: z.string(),
  image: z.string(),
  env: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  envFrom: z.array(
    z.union([
      z.strictObject({ configMapRef: z.strictObject({ name: z.string() }) }),
      z.strictObject({ secretRef: z.strictObject({ name: z.string() }) }),
    ]),
  ),
  ports: z.array(z.strictObject({ name: z.string(), containerPort: z.int() })),
  livenessProbe: probe,
  readinessProbe: probe,
  resources: z.strictObject({ requests: amounts, limits: amounts }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  lifecycle: z.strictObject({
    preStop: z.strictObject({ exec: z.strictObject({ command: z.tuple([z.literal('sleep'), z.string()]) }) }),
  }),
  volumeMounts: z.array(
    z.strictObject({ name: z.string(), mountPath: z.string(), readOnly: z.boolean().optional() }),
  ),
});
const pod = z.strictObject({
  automountServiceAccountToken: z.literal(false),
  enableServiceLinks: z.literal(false),
  terminationGracePeriodSeconds: z.int(),
  securityContext: z.strictObject({
    runAsNonRoot: z.literal(true),
    runAsUser: z.literal(1_000),
    runAsGroup: z.literal(1_000),
    seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
  }),
  topologySpreadConstraints: z.array(
    z.strictObject({
      maxSkew: z.int(),
      topologyKey: z.string(),
      whenUnsatisfiable: z.enum(['ScheduleAnyway', 'DoNotSchedule']),
      labelSelector: chosen,
    }),
  ),
  containers: z.tuple([container]),
  volumes: z.array(
    z.union([
      z.strictObject({ name: z.string(), emptyDir: z.strictObject({ sizeLimit: z.string() }) }),
      z.strictObject({
        name: z.string(),
        projected: z.strictObject({
          sources: z.array(
            z.union([z.strictObject({ configMap: optional }), z.strictObject({ secret: optional })]),
          ),
        }),
      }),
    ]),
  ),
});
const ports = z.array(
  z.strictObject({ protocol: z.enum(['TCP', 'UDP']), port: z.union([z.int(), z.string()]) }),
);
const resource = z.discriminatedUnion('kind', [
  z.strictObject({
    apiVersion: z.literal('apps/v1'),
    kind: z.literal('Deployment'),
    metadata,
    spec: z.strictObject({
      replicas: z.int(),
      strategy: z.strictObject({
        rollingUpdate: z.strictObject({ maxSurge: z.int(), maxUnavailable: z.int() }),
      }),
      selector: chosen,
      template: z.strictObject({ metadata: z.strictObject({ labels }), spec: pod }),
    }),
  }),
  z.strictObject({
    apiVersion: z.literal('policy/v1'),
    kind: z.literal('PodDisruptionBudget'),
    metadata,
    spec: z.strictObject({
      minAvailable: z.int(),
      // Else two that can't become ready keep a machine from ever being drained.
      unhealthyPodEvictionPolicy: z.literal('AlwaysAllow'),
      selector: chosen,
    }),
  }),
  z.strictObject({
    apiVersion: z.literal('v1'),
    kind: z.literal('Service'),
    metadata,
    spec: z.strictObject({
      selector: labels,
      ports: z.array(z.strictObject({ name: z.string(), port: z.int(), targetPort: z.string() })),
    }),
  }),
  z.strictObject({
    apiVersion: z.literal('v1'),
    kind: z.literal('ConfigMap'),
    metadata,
    data: z.record(z.string(), z.string()),
  }),
  z.strictObject({
    apiVersion: z.literal('networking.k8s.io/v1'),
    kind: z.literal('NetworkPolicy'),
    metadata,
    spec: z.strictObject({
      podSelector: chosen,
      policyTypes: z.tuple([z.literal('Ingress'), z.literal('Egress')]),
      ingress: z.array(
        z.strictObject({
          from: z.array(
            z.strictObject({
              namespaceSelector: z.strictObject({
                matchExpressions: z.array(
                  z.strictObject({
                    key: z.string(),
                    operator: z.literal('In'),
                    values: z.array(z.string()).min(1),
                  }),
                ),
              }),
            }),
          ),
          ports,
        }),
      ),
      egress: z.array(z.strictObject({ ports })),
    }),
  }),
]);
type Resource = z.output<typeof resource>;

const FOLDER = 'ops/kubernetes';
const read = (name: string): string => readFileSync(`${FOLDER}/${name}`, 'utf8');
const files = readdirSync(FOLDER).filter((name) => name !== 'kustomization.yaml');
const resources = files.flatMap((name) =>
  parseAllDocuments(read(name)).map((one) => resource.parse(one.toJS())),
);
const ofKind = <Kind extends Resource['kind']>(kind: Kind): Extract<Resource, { kind: Kind }>[] =>
  resources.filter((one): one is Extract<Resource, { kind: Kind }> => one.kind === kind);
const deployments = ofKind('Deployment');
const picks = (selector: Readonly<Record<string, string>>): string[] =>
  deployments
    .filter(({ spec }) =>
      Object.entries(selector).every(([name, value]) => spec.template.metadata.labels[name] === value),
    )
    .map(({ metadata: { name } }) => name);

describe('the files for Kubernetes', () => {
  test('are all applied, with the one image that there is to name', () => {
    const kustomization = z
      .object({ resources: z.array(z.string()), images: z.array(z.object({ name: z.string() })) })
      .parse(parse(read('kustomization.yaml')));
    expect(kustomization.resources.toSorted()).toEqual(files.toSorted());
    const images = deployments.map(({ spec }) => spec.template.spec.containers[0].image);
    expect(new Set(images)).toEqual(new Set(kustomization.images.map(({ name }) => name)));
  });

  test('run two of each role, alike but for that', () => {
    const roles = deployments.map(({ spec }) => {
      const { env, ...rest } = spec.template.spec.containers[0];
      return { replicas: spec.replicas, env, rest };
    });
    const expected = ['web', 'worker'].map((value) => ({
      replicas: 2,
      env: [{ name: 'LAMPLIGHTER_ROLE', value }],
      rest: roles[0]?.rest,
    }));
    expect(roles).toEqual(expected);
  });

  test('ask each process what it answers, and give it the time that it takes to drain', () => {
    for (const { spec } of deployments) {
      const { containers, terminationGracePeriodSeconds } = spec.template.spec;
      const [{ lifecycle, livenessProbe, readinessProbe, ports: open }] = containers;
      expect([livenessProbe.httpGet.path, readinessProbe.httpGet.path]).toEqual(['/healthz', '/readyz']);
      expect([livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.port)).toEqual(['http', 'http']);
      expect(open).toEqual([{ name: 'http', containerPort: 3_000 }]);
      // Requests still come for a moment after Kubernetes has begun to end it.
      const waits = Number(lifecycle.preStop.exec.command[1]);
      expect(waits).toBeGreaterThanOrEqual(5);
      expect((terminationGracePeriodSeconds - waits) * 1_000).toBeGreaterThan(TIMINGS.drainMs + 3_000);
      // Standing still for a moment, or a Redis that is away, is no reason to be killed.
      expect(livenessProbe.failureThreshold * livenessProbe.periodSeconds).toBeGreaterThanOrEqual(60);
    }
  });

  test('give it a folder for files that are read again, where the same names lead to as in compose.yaml', () => {
    const compose = parse(readFileSync('compose.yaml', 'utf8')) as {
      services: { bot: { volumes: string[] } };
    };
    const operating = readFileSync('docs/operating.md', 'utf8');
    for (const { spec } of deployments) {
      const { containers, volumes } = spec.template.spec;
      const mount = containers[0].volumeMounts.find(({ name }) => name === 'config');
      expect(compose.services.bot.volumes).toEqual([`./config:${mount?.mountPath}:ro`]);
      const sources = volumes.flatMap((one) => ('projected' in one ? one.projected.sources : []));
      for (const source of sources)
        for (const [kind, { name }] of Object.entries(source))
          expect(operating).toContain(
            `kubectl create ${kind === 'secret' ? 'secret generic' : 'configmap'} ${name} `,
          );
      expect(sources).toHaveLength(2);
    }
  });

  test('leave one of each role whatever is drained or replaced, and lead Slack to the web alone', () => {
    const budgets = ofKind('PodDisruptionBudget').map(({ spec }) => [
      picks(spec.selector.matchLabels),
      spec.minAvailable,
    ]);
    expect(budgets).toEqual([
      [['lamplighter-web'], 1],
      [['lamplighter-worker'], 1],
    ]);
    expect(ofKind('Service').map(({ spec }) => picks(spec.selector))).toEqual([['lamplighter-web']]);
    for (const {
      metadata: { name },
      spec,
    } of deployments) {
      expect(picks(spec.selector.matchLabels)).toEqual([name]);
      expect(spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
      expect(picks(spec.template.spec.topologySpreadConstraints[0]?.labelSelector.matchLabels ?? {})).toEqual(
        [name],
      );
    }
  });

  test('let nobody in but by its port, and it out to nothing but names, TLS and Redis', () => {
    const [policy] = ofKind('NetworkPolicy');
    expect(picks(policy?.spec.podSelector.matchLabels ?? {})).toEqual([
      'lamplighter-web',
      'lamplighter-worker',
    ]);
    expect(policy?.spec.ingress.map(({ ports: open }) => open.map(({ port }) => port))).toEqual([['http']]);
    expect(policy?.spec.egress.flatMap(({ ports: open }) => open.map(({ port }) => port))).toEqual([
      53, 53, 443, 6_379, 26_379,
    ]);
  });

  test('let it out to a mail server and to a collector of traces once their lines are taken in', () => {
    const text = read('network.yaml');
    expect(text).toMatch(/SMTP_URL[^-]*- ports:[^-]*- \{ protocol: TCP, port: 465 \}/);
    const policy = resource.parse(parse(text.replaceAll(/^( *)# (?=[ -])/gm, '$1')));
    if (policy.kind !== 'NetworkPolicy') throw new Error('no policy');
    expect(policy.spec.egress.flatMap(({ ports: open }) => open.map(({ port }) => port))).toEqual([
      53, 53, 443, 465, 4_318, 6_379, 26_379,
    ]);
  });

  test('set variables that there are, and hold no secret: those come from one that is named', () => {
    const [config] = ofKind('ConfigMap');
    const set = Object.keys(config?.data ?? {});
    const open = VARIABLES.filter(({ secret }) => !secret).map(({ name }) => name);
    expect(set.filter((name) => !open.includes(name))).toEqual([]);
    for (const { spec } of deployments)
      expect(spec.template.spec.containers[0].envFrom).toEqual([
        { configMapRef: { name: config?.metadata.name } },
        { secretRef: { name: 'lamplighter' } },
      ]);
    expect(readFileSync('docs/operating.md', 'utf8')).toContain('kubectl create secret generic lamplighter ');
  });
});
