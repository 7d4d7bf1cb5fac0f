<?php
// GET /image/file/{name}?w=640 by ImageMagick.
const QUALITY = 80;
// The widest picture that is made, as in every server here.
const WIDEST = 4000;

$name = basename(parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));
$width = filter_var($_GET['w'] ?? '', FILTER_VALIDATE_INT, ['options' => ['min_range' => 1, 'max_range' => WIDEST]]);
if ($width === false) {
    http_response_code(400);
    exit('w is to be a width');
}
$path = getenv('PICTURES') . '/' . $name;
if ($name[0] === '.' || !is_file($path)) {
    http_response_code(404);
    exit('there is no such picture');
}

// Proportions are those of the file, whatever is decoded of it.
[$fullWidth, $fullHeight] = getimagesize($path);
$picture = new Imagick();
// The decoder may stop at twice the size that is wanted. Asked for more than there is, it would double the picture.
if (getenv('SHRINK_ON_LOAD') === 'on' && 2 * $width <= $fullWidth) {
    $picture->setOption('jpeg:size', 2 * $width . 'x');
}
$picture->readImage($path);
$height = max(1, intdiv(2 * $width * $fullHeight + $fullWidth, 2 * $fullWidth));
$picture->resizeImage($width, $height, Imagick::FILTER_LANCZOS, 1);
$picture->stripImage();
$picture->setImageFormat('jpeg');
$picture->setImageCompressionQuality(QUALITY);
$picture->setSamplingFactors(['2x2', '1x1', '1x1']);
$picture->setOption('jpeg:optimize-coding', 'false');
$picture->setInterlaceScheme(getenv('PROGRESSIVE') === 'on' ? Imagick::INTERLACE_JPEG : Imagick::INTERLACE_NO);

$answer = $picture->getImageBlob();
header('Content-Type: image/jpeg');
header('Content-Length: ' . strlen($answer));
echo $answer;
