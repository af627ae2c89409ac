"""What a tool may use of OpenCV: pictures in memory, and plain picture files in its scratch folder."""

from __future__ import annotations

import re
from collections.abc import Mapping

CONSTANT = re.compile(r"(?!CV_|.*_(create|Params))[A-Z][A-Z0-9]*(_[A-Za-z0-9]+)+|CV_(8|16|32|64)[USF](C[1-4])?")
"""Shape of the names of its thousands of numbers: `COLOR_BGR2GRAY`, `FONT_HERSHEY_SIMPLEX`, `CV_8UC3`."""

_PICTURE_FILES = "VideoWriter VideoWriter_fourcc imdecode imencode imread imwrite"

_DRAWING = """
    arrowedLine circle clipLine drawChessboardCorners drawContours drawKeypoints drawMarker drawMatches drawMatchesKnn
    ellipse ellipse2Poly fillConvexPoly fillPoly getFontScaleFromHeight getTextSize line polylines putText rectangle"""

_ARITHMETIC = """
    LUT PCACompute PSNR SVDecomp absdiff accumulate accumulateProduct accumulateSquare accumulateWeighted add
    addWeighted bitwise_and bitwise_not bitwise_or bitwise_xor borderInterpolate calcCovarMatrix cartToPolar checkRange
    compare compareHist convertScaleAbs copyMakeBorder copyTo countNonZero cubeRoot dct determinant dft divide eigen
    error exp extractChannel fastAtan2 findNonZero flip gemm getOptimalDFTSize getTickCount getTickFrequency hasNonZero
    hconcat idct idft inRange insertChannel integral invert kmeans log magnitude max mean meanStdDev merge min minMaxLoc
    mixChannels mulSpectrums multiply norm normalize patchNaNs perspectiveTransform phase phaseCorrelate polarToCart pow
    randShuffle randn randu reduce reduceArgMax reduceArgMin repeat rotate scaleAdd setIdentity setRNGSeed solve
    solveCubic solvePoly sort sortIdx split sqrt subtract sumElems trace transform transpose vconcat"""

_FILTERING = """
    GaussianBlur Laplacian Scharr Sobel adaptiveThreshold applyColorMap bilateralFilter blendLinear blur boxFilter
    buildOpticalFlowPyramid colorChange createCLAHE createHanningWindow createMergeMertens cvtColor cvtColorTwoPlane
    decolor demosaicing detailEnhance dilate distanceTransform distanceTransformWithLabels edgePreservingFilter
    equalizeHist erode fastNlMeansDenoising fastNlMeansDenoisingColored filter2D getDerivKernels getGaborKernel
    getGaussianKernel getStructuringElement illuminationChange inpaint medianBlur morphologyEx pencilSketch pyrDown
    pyrMeanShiftFiltering pyrUp seamlessClone sepFilter2D spatialGradient sqrBoxFilter stackBlur stylization
    textureFlattening threshold"""

_GEOMETRY = """
    Rodrigues convertMaps convertPointsFromHomogeneous convertPointsToHomogeneous decomposeHomographyMat
    estimateAffine2D estimateAffine3D estimateAffinePartial2D findEssentialMat findFundamentalMat findHomography
    getAffineTransform getOptimalNewCameraMatrix getPerspectiveTransform getRectSubPix getRotationMatrix2D
    initUndistortRectifyMap invertAffineTransform projectPoints recoverPose remap reprojectImageTo3D resize solvePnP
    solvePnPRansac triangulatePoints undistort undistortPoints warpAffine warpPerspective warpPolar"""

_SHAPES = """
    HoughCircles HoughLines HoughLinesP HuMoments approxPolyDP arcLength boundingRect boxPoints connectedComponents
    connectedComponentsWithStats contourArea convexHull convexityDefects findContours fitEllipse fitLine
    intersectConvexConvex isContourConvex matchShapes minAreaRect minEnclosingCircle minEnclosingTriangle moments
    pointPolygonTest rotatedRectangleIntersection"""

_FINDING = """
    BFMatcher CamShift Canny DISOpticalFlow_create DMatch DescriptorMatcher_create FastFeatureDetector_create
    KalmanFilter KeyPoint MSER_create ORB ORB_create QRCodeDetector QRCodeEncoder QRCodeEncoder_create RotatedRect
    SIFT SIFT_create SimpleBlobDetector_Params SimpleBlobDetector_create TickMeter TrackerMIL_create calcBackProject
    calcHist calcOpticalFlowFarneback calcOpticalFlowPyrLK cornerHarris cornerMinEigenVal cornerSubPix
    createBackgroundSubtractorKNN createBackgroundSubtractorMOG2 createLineSegmentDetector findChessboardCorners
    findChessboardCornersSB findCirclesGrid findTransformECC floodFill goodFeaturesToTrack grabCut matchTemplate
    meanShift watershed"""

OPENCV: Mapping[str, str] = {
    "cv2": _PICTURE_FILES + _DRAWING + _ARITHMETIC + _FILTERING + _GEOMETRY + _SHAPES + _FINDING,
    "cv2.aruco": """
        ArucoDetector CharucoBoard CharucoDetector DetectorParameters Dictionary GridBoard RefineParameters
        drawDetectedMarkers generateImageMarker getPredefinedDictionary""",
}
"""Names by module, separated by blanks."""
