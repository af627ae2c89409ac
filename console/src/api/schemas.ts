/** Types of requests and responses: short names for the types that the build generates from the OpenAPI document. */

import type { components } from "../../generated/openapi";

type Schemas = components["schemas"];

export type ProblemDocument = Schemas["Problem"];

/** The data of each kind of event. */
export type EventData = Schemas["EventData"];
export type EventKind = keyof EventData;
export type GraphEvent = { [K in EventKind]: { kind: K; data: EventData[K]; number?: number } }[EventKind];
export type StreamSelection = Schemas["StreamSelection"];

export type RobotState = Schemas["RobotStateEvent"];
export type AgentState = Schemas["AgentStateEvent"];
export type Reply = Schemas["ReplyEvent"];

export type HeadPose = Schemas["HeadModel"];
export type Joint = Schemas["Joint"];
export type RobotModelDescription = Schemas["RobotModelDescription"];
export type JointPositions = Schemas["JointPositionsEvent"]["joints"];
export type Detection = Schemas["DetectionData"];
export type Detections = Schemas["DetectionsEvent"];

export type ChatRequest = Schemas["ChatRequest"];
type ChatEventData = Schemas["ChatEventData"];
export type ChatEvent = { [K in keyof ChatEventData]: { event: K; data: ChatEventData[K] } }[keyof ChatEventData];
export type VoiceMessage = Schemas["VoiceMessage"];
export type VoiceEnd = Schemas["VoiceEnd"];

export type Approval = Schemas["Approval"];
export type ApprovalAnswer = Schemas["ApprovalAnswer"];
export type DecisionRequest = Schemas["DecisionRequest"];
export type Grant = Schemas["GrantSummary"];
export type GrantList = Schemas["GrantsAnswer"];
export type Plan = Schemas["PlanAnswer"];
export type Persona = Schemas["PersonaSummary"];
export type PersonaList = Schemas["PersonasAnswer"];

export type Session = Schemas["SessionAnswer"];
export type SessionList = Schemas["SessionsAnswer"];
export type StoredConversation = Schemas["HistoryAnswer"];
export type StoredMessage = Schemas["TranscriptMessage"];
export type MemoryEntry = Schemas["MemoryItem"];
export type MemoryEntryList = Schemas["MemoryAnswer"];
export type Forgotten = Schemas["ForgottenAnswer"];

export type Span = Schemas["TraceStep"];
export type TurnDetail = Schemas["TurnDetail"];
export type TurnSummary = Schemas["TurnSummary"];
export type TurnList = Schemas["TracesAnswer"];
export type HealthReport = Schemas["HealthAnswer"];
export type NodeStatus = Schemas["NodeStatus"];
export type Diagnostic = Schemas["DiagnosticReport"];

export type Tool = Schemas["ToolAnswer"];
export type ToolCatalogue = Schemas["ToolsAnswer"];
export type GeneratedTool = Schemas["GeneratedToolAnswer"];
export type GeneratedToolVersion = Schemas["ToolVersionModel"];
export type Verdict = Schemas["VerdictModel"];
export type ToolTest = Schemas["CaseModel-Output"];
export type ToolTestResult = Schemas["CaseResultModel"];
export type CheckResult = Schemas["CheckAnswer"];
export type GenerationResult = Schemas["GenerateAnswer"];

export type FeedbackRequest = Schemas["FeedbackRequest"];
export type FeedbackResult = Schemas["FeedbackAnswer"];
export type Judgment = Schemas["JudgementModel"];
export type JudgmentList = Schemas["JudgementsAnswer"];
export type Reward = Schemas["RewardEntry"];
export type RewardList = Schemas["RewardsAnswer"];
export type PolicyUpdate = Schemas["PolicyUpdateEvent"];

export type Demonstration = Schemas["DemonstrationModel"];
export type DemonstrationList = Schemas["DemonstrationsAnswer"];
export type Policy = Schemas["PolicyModel"];
export type PolicyRequest = Schemas["PolicyRequest"];
export type PolicyList = Schemas["PoliciesAnswer"];
export type TrainingStatus = Schemas["TrainingAnswer"];

export type Setting = Schemas["SettingModel"];
export type SettingsList = Schemas["SettingsAnswer"];
export type ChangedSetting = Schemas["SettingAnswer"];

export type Schedule = Schemas["ScheduleAnswer"];
export type ScheduleEntry = Schemas["ScheduleEntryData"];
export type ScheduleRequest = Schemas["ScheduleRequest"];
