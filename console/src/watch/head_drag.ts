/** Dragging the drawn head, which leads the head of the simulated robot during a demonstration. */

import { type Camera, type Object3D, Quaternion, Raycaster, Sphere, Vector2, Vector3 } from "three";
import { post } from "../api/http";
import type { HeadPose } from "../api/schemas";

/** Limits within which the head turns without the body, rad. */
const WIDEST_YAW = 1;
const WIDEST_PITCH = 0.55;

/** ms; the simulated hand lets go 500 ms after the last request. */
const PERIOD = 70;

export interface Angles {
  yaw: number;
  pitch: number;
}

/** The yaw and pitch of a direction in `head_base`, rad; yaw is positive to the left, pitch is positive down. */
export function anglesOf({ x, y, z }: Vector3): Angles {
  return { yaw: Math.atan2(y, x), pitch: -Math.atan2(z, Math.hypot(x, y)) };
}

/** The pose that turns the head with the grabbed point: from where it was grabbed to where it is now. */
export function ledBy(start: Angles, grabbed: Angles, now: Angles): Angles {
  const turned = Math.atan2(Math.sin(now.yaw - grabbed.yaw), Math.cos(now.yaw - grabbed.yaw));
  return {
    yaw: clamped(start.yaw + turned, WIDEST_YAW),
    pitch: clamped(start.pitch + now.pitch - grabbed.pitch, WIDEST_PITCH),
  };
}

function clamped(value: number, limit: number): number {
  return Math.max(-limit, Math.min(limit, value));
}

/** A grab of the head with the pointer, from its press to its release. It repeats the pose, so that the hand holds it. */
export class HeadDrag {
  private readonly sphere: Sphere;
  private readonly start: Angles;
  private readonly grabbed: Angles;
  private wanted: Angles;
  private sending = false;
  private readonly timer: number;

  constructor(
    private readonly head: Object3D,
    private readonly camera: Camera,
    point: Vector3,
    private readonly failed: (error: Error) => void,
  ) {
    const center = head.getWorldPosition(new Vector3());
    this.sphere = new Sphere(center, center.distanceTo(point));
    this.start = anglesOf(new Vector3(1, 0, 0).applyQuaternion(head.quaternion));
    this.grabbed = this.anglesTo(point);
    this.wanted = this.start;
    this.timer = window.setInterval(() => void this.send(), PERIOD);
  }

  /** The point of the head under the pointer, in normalized device coordinates; null beside the head. */
  static hit(head: Object3D, camera: Camera, pointer: Vector2): Vector3 | null {
    return ray(camera, pointer).intersectObject(head, true)[0]?.point ?? null;
  }

  move(pointer: Vector2): void {
    const { ray: line } = ray(this.camera, pointer);
    const nearest = new Vector3();
    if (!line.intersectSphere(this.sphere, nearest)) line.closestPointToPoint(this.sphere.center, nearest);
    this.wanted = ledBy(this.start, this.grabbed, this.anglesTo(nearest));
  }

  end(): void {
    clearInterval(this.timer);
  }

  private anglesTo(point: Vector3): Angles {
    const turn = this.head.parent!.getWorldQuaternion(new Quaternion()).invert();
    return anglesOf(point.clone().sub(this.sphere.center).applyQuaternion(turn));
  }

  private async send(): Promise<void> {
    if (this.sending) return;
    this.sending = true;
    try {
      await post("/demonstration/lead", { ...this.wanted } satisfies HeadPose);
    } catch (error) {
      this.failed(error as Error);
    } finally {
      this.sending = false;
    }
  }
}

function ray(camera: Camera, pointer: Vector2): Raycaster {
  const caster = new Raycaster();
  caster.setFromCamera(pointer, camera);
  return caster;
}
