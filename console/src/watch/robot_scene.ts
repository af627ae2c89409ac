/** 3D view of the robot. Loaded when it is first shown, because three.js is larger than the rest of the page. */

import {
  ACESFilmicToneMapping,
  AmbientLight,
  CircleGeometry,
  DirectionalLight,
  GridHelper,
  Group,
  HemisphereLight,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  PerspectiveCamera,
  Quaternion,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { get, request } from "../api/http";
import type { Joint, JointPositions, RobotModelDescription } from "../api/schemas";
import { leadable } from "../shell/robot_state";
import { HeadDrag } from "./head_drag";

/** A joint with the node that it turns and the node's rotation at zero. */
interface Hinge {
  joint: Joint;
  axis: Vector3;
  node: Object3D;
  rest: Quaternion;
}

const SHORTEST_PAUSE = 1000 / 15;
/** Drawing takes at most one part in this many of the time, also on a slow machine. */
const SHARE = 6;
/** rad; smaller changes of all joints are not drawn. */
const VISIBLE = 0.0005;

/** Three of the six rods that hold the head; three points determine its pose. */
const RODS = [1, 3, 5];

/** The model and its moving parts. */
export class RobotModel {
  /** Its node is a child of `head_base`. */
  readonly head: Object3D;
  private readonly hinges: Hinge[];
  private readonly tips: Object3D[];
  private readonly fromSockets: Matrix4;

  constructor(
    readonly root: Group,
    joints: Joint[],
  ) {
    const named = (name: string) => root.getObjectByName(name)!;
    this.hinges = joints
      .filter((joint) => joint.type !== "floating")
      .map((joint) => ({ joint, node: named(joint.link), axis: new Vector3().fromArray(joint.axis) }))
      .map((hinge) => ({ ...hinge, rest: hinge.node.quaternion.clone() }));
    this.head = named(joints.find((joint) => joint.type === "floating")!.link);
    this.tips = RODS.map((number) => named(`closing_${number}_1`));
    root.updateMatrixWorld();
    const sockets = RODS.map((number) => this.head.worldToLocal(place(named(`closing_${number}_2`))));
    this.fromSockets = frame(sockets).invert();
  }

  /** Sets the joints. Returns whether anything moved visibly. */
  take(joints: JointPositions): boolean {
    const turn = new Quaternion();
    let moved = 0;
    for (const { joint, node, axis, rest } of this.hinges) {
      const angle = joints[joint.name];
      if (angle === undefined) continue;
      const wanted = rest.clone().multiply(turn.setFromAxisAngle(axis, angle));
      moved = Math.max(moved, node.quaternion.angleTo(wanted));
      node.quaternion.copy(wanted);
    }
    this.holdHead();
    return moved > VISIBLE;
  }

  /** Places the head at the ends of its rods. In a URDF it can be the child of one rod only. */
  private holdHead(): void {
    this.root.updateMatrixWorld();
    const held = this.tips.map((tip) => this.head.parent!.worldToLocal(place(tip)));
    const pose = frame(held).multiply(this.fromSockets);
    pose.decompose(this.head.position, this.head.quaternion, new Vector3());
  }
}

function place(node: Object3D): Vector3 {
  return new Vector3().setFromMatrixPosition(node.matrixWorld);
}

/** The frame of three points. */
function frame([origin, ahead, aside]: Vector3[]): Matrix4 {
  const x = ahead!.clone().sub(origin!).normalize();
  const z = x.clone().cross(aside!.clone().sub(origin!)).normalize();
  return new Matrix4().makeBasis(x, z.clone().cross(x), z).setPosition(origin!);
}

export async function loadModel(): Promise<RobotModel> {
  const [described, file] = await Promise.all([
    get<RobotModelDescription>("/robot/model.json"),
    request("GET", "/robot/model.glb").then((answer) => answer.arrayBuffer()),
  ]);
  const { scene } = await new GLTFLoader().parseAsync(file, "");
  return new RobotModel(scene, described.joints);
}

/** Draws the model into a canvas whenever it has changed. */
export class RobotScene {
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(30, 1, 0.05, 10);
  private readonly controls: OrbitControls;
  private readonly watched: ResizeObserver;
  private readonly listening = new AbortController();
  private pause = SHORTEST_PAUSE;
  private drawn = 0;
  private timer = 0;
  private drag: HeadDrag | null = null;

  /** `failed` is called if the robot's head cannot be led. */
  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly model: RobotModel,
    private readonly failed: (error: Error) => void,
  ) {
    this.listen(); // before the controls, which turn the view unless the head is grabbed
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, powerPreference: "low-power" });
    this.renderer.toneMapping = ACESFilmicToneMapping;
    this.camera.up.set(0, 0, 1); // as in the robot's frames
    this.camera.position.set(0.84, 0.36, 0.36);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.target.set(0, 0, 0.19);
    this.controls.minDistance = 0.4;
    this.controls.maxDistance = 3;
    this.controls.maxPolarAngle = Math.PI / 2;
    this.controls.addEventListener("change", () => this.draw());
    this.controls.update();
    this.scene.add(model.root, ...lights(), ...floor());
    this.watched = new ResizeObserver(() => this.resize());
    this.watched.observe(canvas.parentElement!);
    this.resize();
  }

  /** Rotation of the head relative to its base, as drawn. */
  get head(): Quaternion {
    return this.model.head.quaternion;
  }

  take(joints: JointPositions): void {
    if (this.model.take(joints)) this.draw();
  }

  /** Turns the view, rad to the left and up. */
  turn(left: number, up: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target);
    offset.applyAxisAngle(this.camera.up, left);
    offset.z = Math.max(offset.z + up * offset.length(), 0);
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
  }

  close(): void {
    clearTimeout(this.timer);
    this.release();
    this.listening.abort();
    this.watched.disconnect();
    this.controls.dispose();
    this.renderer.dispose();
  }

  private listen(): void {
    const { signal } = this.listening;
    this.canvas.addEventListener("pointerdown", (event) => this.grab(event), { signal });
    this.canvas.addEventListener("pointermove", (event) => this.drag?.move(this.pointer(event)), { signal });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"])
      this.canvas.addEventListener(end, () => this.release(), { signal });
  }

  private grab(event: PointerEvent): void {
    if (!leadable.value) return;
    const point = HeadDrag.hit(this.model.head, this.camera, this.pointer(event));
    if (!point) return;
    event.stopImmediatePropagation();
    this.canvas.setPointerCapture(event.pointerId);
    this.release();
    this.drag = new HeadDrag(this.model.head, this.camera, point, this.failed);
  }

  private release(): void {
    this.drag?.end();
    this.drag = null;
  }

  /** The place of the pointer in normalized device coordinates. */
  private pointer(event: PointerEvent): Vector2 {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    return new Vector2((2 * (event.clientX - left)) / width - 1, 1 - (2 * (event.clientY - top)) / height);
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.renderer.domElement.parentElement!;
    if (!width || !height) return;
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.draw();
  }

  /** Schedules one drawing for all changes until then. */
  private draw(): void {
    if (this.timer) return;
    const wait = Math.max(0, this.drawn + this.pause - performance.now());
    this.timer = window.setTimeout(() => requestAnimationFrame(() => this.drawNow()), wait);
  }

  private drawNow(): void {
    this.timer = 0;
    const began = performance.now();
    this.renderer.render(this.scene, this.camera);
    const gl = this.renderer.getContext();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); // waits for the end of the drawing, to measure its duration
    this.drawn = performance.now();
    this.pause = Math.max(SHORTEST_PAUSE, SHARE * (this.drawn - began));
  }
}

function lights(): Object3D[] {
  const key = new DirectionalLight(0xffffff, 2.2);
  key.position.set(1, 0.8, 1.6);
  const rim = new DirectionalLight(0xdfe9ff, 0.8);
  rim.position.set(-0.6, -1, 0.8);
  const sky = new HemisphereLight(0xffffff, 0x8a8f98, 1.2);
  sky.position.set(0, 0, 1);
  return [key, rim, sky, new AmbientLight(0xffffff, 0.3)];
}

function floor(): Object3D[] {
  const shadow = new Mesh(
    new CircleGeometry(0.11, 48),
    new MeshBasicMaterial({ color: 0x000000, transparent: true, opacity: 0.18 }),
  );
  const grid = new GridHelper(1, 10, 0x888888, 0x888888);
  grid.rotateX(Math.PI / 2);
  grid.position.z = -0.001;
  grid.material.transparent = true;
  grid.material.opacity = 0.25;
  return [shadow, grid];
}
